-- The tables of OpenCode 1.2 and later that matter here; an account table stands beside them.
CREATE TABLE account (id TEXT PRIMARY KEY, access_token TEXT);
INSERT INTO account VALUES ('a', 'never-read-this-secret');
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
INSERT INTO session VALUES ('ses_2', 'p1', NULL, '/w/app', 'Feature flags', '1.17.0', 1772359200000, 1772359290000);
INSERT INTO session VALUES ('ses_3', 'p1', 'ses_2', '/w/app', 'Look around', '1.17.0', 1772359200000, 1772359290000);
INSERT INTO message VALUES ('msg_20', 'ses_2', 1772359200000, '{"role":"user","time":{"created":1772359200000}}');
INSERT INTO message VALUES ('msg_21', 'ses_2', 1772359201000, '{"role":"assistant","parentID":"msg_20","time":{"created":1772359201000}}');
INSERT INTO message VALUES ('msg_22', 'ses_2', 1772359202000, 'no json');
INSERT INTO message VALUES ('msg_30', 'ses_3', 1772359200000, '{"role":"user","time":{"created":1772359200000}}');
INSERT INTO part VALUES ('prt_21', 'msg_21', 'ses_2', 1772359201000, '{"type":"tool","callID":"q1","tool":"question","state":{"status":"completed","input":{"questions":[{"question":"Flags in a file or a table?"}]},"output":"User has answered your questions: \"Flags in a file or a table?\"=\"In a file\". You can now continue with the user''s answers in mind."}}');
INSERT INTO part VALUES ('prt_20', 'msg_20', 'ses_2', 1772359200000, '{"type":"text","text":"Add feature flags."}');
INSERT INTO part VALUES ('prt_22', 'msg_99', 'ses_2', 1772359200000, '{"type":"text","text":"Whose words are these?"}');
INSERT INTO part VALUES ('prt_23', 'msg_21', 'ses_2', 1772359200000, '[]');
INSERT INTO part VALUES ('prt_30', 'msg_30', 'ses_3', 1772359200000, '{"type":"text","text":"List all flags."}');
