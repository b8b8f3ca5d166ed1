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
    SELECT ON rollcall.ledger
TO rollcall_analyst
