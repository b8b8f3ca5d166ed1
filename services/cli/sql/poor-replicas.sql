SELECT table, total_replicas, active_replicas FROM system.replicas
WHERE database = 'rollcall' AND (total_replicas < 2 OR active_replicas < total_replicas)
ORDER BY table
