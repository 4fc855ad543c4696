CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP, session_type TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT);
INSERT INTO sessions VALUES ('20260301_2', 'Rate limits', '', '/w/app', '2026-03-01 10:00:00', '2026-03-01 10:10:00', 'user');
INSERT INTO messages VALUES (1, 'gm1', '20260301_2', 'user', '[{"type":"text","text":"Limit to ten a second."}]', 1772359200, '{"userVisible":true,"agentVisible":true}');
INSERT INTO messages VALUES (2, 'gm2', '20260301_2', 'assistant', '[{"type":"toolRequest","id":"z1","toolCall":{"status":"success","value":{"name":"text_editor","arguments":{"path":"limit.py"}}}}]', 1772359201, '{}');
INSERT INTO messages VALUES (3, 'gm3', '20260301_2', 'user', '[{"type":"toolResponse","id":"z1","toolResult":{"status":"error","error":"no such file"}}]', 1772359202, NULL);
INSERT INTO messages VALUES (4, 'gm4', '20260301_2', 'user', '{broken', 1772359203, NULL);
