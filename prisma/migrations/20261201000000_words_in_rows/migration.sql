-- oldest build: 0.2.0
-- The words of a document stay in its row if they are short. A search that reads documents in the order of an index
-- examines the words of each of them, which takes three times as long if they are stored apart. New rows and the next
-- index follow this.
ALTER TABLE "search_document" RESET (toast_tuple_target);
