-- What a search for users and groups looks at. `text_pattern_ops`: the beginning of a text, whatever the collation.
CREATE INDEX "user_lower_id_idx" ON "user" (lower("id") text_pattern_ops);
CREATE INDEX "user_lower_first_name_idx" ON "user" (lower("properties" ->> 'firstName') text_pattern_ops);
CREATE INDEX "user_lower_last_name_idx" ON "user" (lower("properties" ->> 'lastName') text_pattern_ops);
CREATE INDEX "group_lower_id_idx" ON "group" (lower("id") text_pattern_ops);
CREATE INDEX "group_lower_label_idx" ON "group" (lower("properties" ->> 'grouplabel') text_pattern_ops);
