-- No readonly: the grants leave nothing to write but what sign-in needs. A statement may bring settings of its own.
CREATE SETTINGS PROFILE IF NOT EXISTS rollcall_dashboards
SETTINGS max_execution_time = 120 MAX 600, max_memory_usage = 8589934592 MAX 17179869184
