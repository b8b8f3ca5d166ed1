-- Details of the audit that name one of the logins, as hashes.
SELECT DISTINCT hex(SHA256(detail)) AS hash
FROM rollcall.access_audit
WHERE multiSearchAnyCaseInsensitiveUTF8(detail, {logins:Array(String)})
