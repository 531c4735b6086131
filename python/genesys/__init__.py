# SPDX-License-Identifier: Apache-2.0
"""Services of a GPU for programs in Python: genesys.services."""

__version__ = "0.1.0"
