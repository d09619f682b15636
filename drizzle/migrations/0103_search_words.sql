-- The words of the full-text indexes, for suggestions of misspelled searches. They store nothing: each reads its index.
CREATE VIRTUAL TABLE post_vocabulary USING fts5vocab('post_search', 'row');
--> statement-breakpoint
CREATE VIRTUAL TABLE creator_vocabulary USING fts5vocab('creator_search', 'row');
