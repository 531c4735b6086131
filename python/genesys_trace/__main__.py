# SPDX-License-Identifier: Apache-2.0
"""python3 -m genesys_trace"""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
