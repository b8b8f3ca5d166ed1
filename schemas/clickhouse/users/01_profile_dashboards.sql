-- readonly = 2: only reads, but a statement may bring settings of its own, as those of the dashboards do.
CREATE SETTINGS PROFILE IF NOT EXISTS rollcall_dashboards
SETTINGS readonly = 2, max_execution_time = 120 MAX 600, max_memory_usage = 8589934592 MAX 17179869184
