"""`python -m tokviz`: the command line, where the command `tokviz` is not on the path."""

import sys

from tokviz.command.main import main

if __name__ == "__main__":
    sys.exit(main())
