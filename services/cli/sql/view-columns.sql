SELECT name FROM system.columns WHERE database = 'rollcall' AND table = {view:String} ORDER BY position
