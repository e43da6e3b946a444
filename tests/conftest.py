"""How hypothesis runs here: the same examples every time, and as long as a busy machine takes."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "tokviz", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tokviz")
