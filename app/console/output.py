"""What commands print, where it cannot be written."""

import errno
import os
import sys

FULL_DISK = (errno.ENOSPC, errno.EDQUOT)  # met where stdout is a file


def print_no_more() -> None:
    """Else the end of the interpreter would fail with what is left to print."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
