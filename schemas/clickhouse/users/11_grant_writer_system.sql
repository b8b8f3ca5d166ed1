-- What it asks about a cluster.
GRANT SELECT ON system.clusters, SELECT ON system.macros, SELECT ON system.replicas, SELECT ON system.parts TO rollcall_writer
