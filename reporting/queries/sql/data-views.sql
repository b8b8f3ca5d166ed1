SELECT name, comment FROM system.tables WHERE database = 'rollcall' AND name IN {views:Array(String)}
