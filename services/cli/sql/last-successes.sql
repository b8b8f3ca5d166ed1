SELECT job, toUnixTimestamp64Milli(max(updated_at)) AS at FROM rollcall.job_runs WHERE state = 'succeeded' GROUP BY job
SETTINGS output_format_json_quote_64bit_integers = 0
