"""`keltis` at noon of the day that TODAY names, so that no day ends while a test looks at it."""

import os
import time
from datetime import datetime

_of_machine = time.time
_noon = datetime.fromisoformat(f"{os.environ['TODAY']}T12:00:00+00:00").timestamp()
_ahead = _noon - _of_machine()
time.time = lambda: _of_machine() + _ahead

if __name__ == "__main__":
    from keltis.cli import main

    main()
