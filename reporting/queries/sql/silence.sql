SELECT received, last_at AS lastAt, window_seconds AS windowSeconds, same_window AS sameWindow
FROM rollcall.silence_at(now = {now:DateTime64(3, 'UTC')}, time_zone = {time_zone:String})
SETTINGS output_format_json_quote_64bit_integers = 0, max_execution_time = 60
