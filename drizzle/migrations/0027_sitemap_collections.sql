-- Collections have public addresses too.
INSERT INTO sitemap_pages (kind, after_key, checked_at) VALUES ('collections', '', 0);
