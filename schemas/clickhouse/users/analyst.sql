-- rollcall_analyst: people with SQL and their tools.
-- Tools set limits of their own and compress answers, hence readonly = 2 and not 1; the bounds hold whatever they set.
CREATE SETTINGS PROFILE IF NOT EXISTS rollcall_analyst
SETTINGS
    readonly = 2,
    max_execution_time = 60 MIN 1 MAX 600,
    max_memory_usage = 4294967296 MIN 1 MAX 8589934592,
    max_threads = 4 MIN 1 MAX 8,
    max_concurrent_queries_for_user = 8 MIN 1 MAX 8;

CREATE ROLE IF NOT EXISTS rollcall_analyst SETTINGS PROFILE 'rollcall_analyst';

-- The contract's views and nothing behind them: the views lend the rights that they need. No names, no e-mails.
GRANT
    SELECT ON rollcall.assignments,
    SELECT ON rollcall.assignments_as_of,
    SELECT ON rollcall.assignments_all,
    SELECT ON rollcall.assignments_all_as_of,
    SELECT ON rollcall.events,
    SELECT ON rollcall.users,
    SELECT ON rollcall.reporting_lines,
    SELECT ON rollcall.guides,
    SELECT ON rollcall.guide_assignments,
    SELECT ON rollcall.guide_orders,
    SELECT ON rollcall.pulls,
    SELECT ON rollcall.failed_events,
    SELECT ON rollcall.ledger,
    SELECT ON rollcall.ledger_total
TO rollcall_analyst;
