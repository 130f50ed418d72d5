-- oldest build: 0.2.0
-- What User.Query looks for, as the names of users have an index already.
CREATE INDEX "user_lower_email_idx" ON "user" (lower(properties ->> 'email') text_pattern_ops);
CREATE INDEX "user_lower_company_idx" ON "user" (lower(properties ->> 'company') text_pattern_ops);
CREATE INDEX "user_lower_tenant_id_idx" ON "user" (lower(properties ->> 'tenantId') text_pattern_ops);
