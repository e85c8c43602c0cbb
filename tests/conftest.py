import os

# Before torch is imported anywhere: spinning OpenMP threads starve whatever runs beside them.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
