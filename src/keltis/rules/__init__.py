"""The two games as compiled functions on one record each; knows numpy and numba only."""
