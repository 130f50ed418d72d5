-- oldest build: 0.1.0
-- The bulk action that an execution has begun: it is under way until that has ended.
ALTER TABLE "execution" ADD COLUMN "command_id" UUID;
