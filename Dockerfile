# tokviz as a container, the vocabularies inside: once built, it needs no network. README.md has the command to run it.
FROM python:3.13-slim
WORKDIR /tokviz
RUN useradd --uid 1000 --no-create-home --home-dir /tmp tokviz
COPY deploy/requirements.lock .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY app.py .
COPY .streamlit .streamlit
COPY pages pages
COPY tokviz tokviz
RUN python -m compileall -q tokviz pages
# Docker starts a container again that has ended, but not one that hangs: so a server that hangs ends itself.
ENV TOKVIZ_STUCK_SECONDS=60
USER tokviz
EXPOSE 8501
CMD ["streamlit", "run", "app.py", "--server.headless=true", "--server.address=0.0.0.0", "--server.port=8501"]
