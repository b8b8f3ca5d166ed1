-- Saved views and share links whose name or filters hold the name of a person.
SELECT id FROM rollcall.access_views
WHERE multiSearchAnyCaseInsensitiveUTF8(name, {texts:Array(String)}) OR multiSearchAnyCaseInsensitiveUTF8(decodeURLFormComponent(query), {texts:Array(String)})
UNION DISTINCT
SELECT id FROM rollcall.access_shares WHERE multiSearchAnyCaseInsensitiveUTF8(decodeURLFormComponent(query), {texts:Array(String)})
