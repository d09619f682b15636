// The dataset with which the content pages are measured, as SQL for SQLite or D1. It is inserted in
// bulk, through the product's own triggers.

/** Numbers of people and followers, which do not grow with the posts. */
export type DatasetSize = { people: number; followers: number };

/** The author whom every follower follows. One post of ten is theirs. */
export const POPULAR_AUTHOR = "praca";
/** Authors who publish often. The `everyday` reader follows them and `POPULAR_AUTHOR`. */
const REGULARS = 40;
/** Authors who published a few times, before all others. */
const SELDOM = 30;
const SELDOM_POSTS = 5;
const SUBSCRIBERS_SHARE = 100;
const FIRST_REGULAR = 1;
const FIRST_SELDOM = FIRST_REGULAR + REGULARS;
const FIRST_OTHER = FIRST_SELDOM + SELDOM;
/** Time between two posts. A million posts take half a year. */
const STEP_MS = 15_000;
const LIKES_OF_MEASURED = 5_000;
const COMMENTS_OF_MEASURED = 300;
/** Number of the measured post: an early public post of `POPULAR_AUTHOR`. */
const MEASURED = 40;

const id = (kind: string, n: string): string => `printf('00000000000070008000${kind}%010d', ${n})`;
const personId = (n: string): string => id("01", n);
const postId = (n: string): string => id("02", n);
const counted = (from: number, to: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;

/** Id of the post whose page is measured. */
export const measuredPostId = (): string =>
  `0000000000007000800002${String(MEASURED).padStart(10, "0")}`;

/** Id of the image of post number `n`, if it has one. */
export const crowdMediaId = (n: number): string =>
  `0000000000007000800007${String(n).padStart(10, "0")}`;

/** Inserts the people, their pages, follows and subscriptions. `now`: time of the newest post. */
export function peopleStatements({ people, followers }: DatasetSize, now: number): string[] {
  const everyone = people + followers;
  const hot = personId("0");
  return [
    `${counted(0, everyone)} INSERT INTO people (id, provider, provider_user_id, email, created_at, registered_at, birth_date)
      SELECT ${personId("i")}, 'crowd', i, 'p' || i || '@exemplo.test', ${now}, ${now}, '1990-01-31' FROM n`,
    `${counted(0, everyone)} INSERT INTO profiles (person_id, username, name, bio, city, craft, is_creator, created_at)
      SELECT ${personId("i")}, iif(i = 0, '${POPULAR_AUTHOR}', 'pessoa-' || i), iif(i = 0, 'A Praça', 'Pessoa ' || i), 'Toca aos domingos.', 'Recife, PE', 'forró', i < ${people}, ${now} FROM n`,
    `INSERT INTO plans (id, creator_id, name, benefits, state, created_at, updated_at) VALUES
      (${id("03", "1")}, ${hot}, 'Camarim', '["Ensaios"]', 'active', ${now}, ${now}), (${id("03", "2")}, ${hot}, 'Coxia', '["Tudo"]', 'active', ${now}, ${now})`,
    `${counted(0, 4 + Math.floor(people / 10))} INSERT INTO collections (id, creator_id, title, created_at)
      SELECT ${id("13", "i")}, ${personId("iif(i < 4, 0, i * 10)")}, 'Coleção ' || i, ${now} - i FROM n`,
    `${counted(0, 4 + Math.floor(people / 10))} INSERT INTO events (id, creator_id, title, place, starts_at, ends_at, status, created_at)
      SELECT ${id("14", "i")}, ${personId("iif(i < 2, 0, i * 10)")}, 'Roda ' || i, 'Olinda, PE', ${now} + 86400000 * 30 - i, ${now} + 86400000 * 31 - i, 'published', ${now} FROM n`,
    `INSERT INTO plan_prices (id, plan_id, interval, amount_cents, created_at) VALUES
      (${id("04", "1")}, ${id("03", "1")}, 'monthly', 1500, ${now}), (${id("04", "2")}, ${id("03", "1")}, 'annual', 15000, ${now}), (${id("04", "3")}, ${id("03", "2")}, 'monthly', 4900, ${now})`,
    `${counted(people, everyone)} INSERT INTO follows (follower_id, creator_id, created_at) SELECT ${personId("i")}, ${hot}, ${now} - i FROM n`,
    // Everybody else follows a few, so that no member follows a whole table of people.
    `${counted(FIRST_OTHER, people)} INSERT OR IGNORE INTO follows (follower_id, creator_id, created_at)
      SELECT ${personId("i")}, ${personId(`${FIRST_OTHER} + (i * 7919 + k.value * 104729) % ${people - FIRST_OTHER}`)}, ${now} - i FROM n, json_each('[1,2,3,4]') k`,
    `${counted(0, Math.floor(followers / SUBSCRIBERS_SHARE))} INSERT INTO subscriptions
      (id, fan_id, creator_id, plan_id, plan_price_id, interval, amount_cents, method, status, started_at, access_until, created_at, updated_at)
      SELECT ${id("05", "i")}, ${personId(`${people} + i`)}, ${hot}, ${id("03", "1 + i % 2")}, ${id("04", "iif(i % 2 = 0, 1, 3)")}, 'monthly', 1500, 'pix', 'active', ${now}, ${now + 30 * 86_400_000}, ${now}, ${now} FROM n`,
  ];
}

/**
 * Inserts the posts number `from` to `to` (exclusive), with their images, comments and likes. The
 * oldest post is `mostPosts` steps before `now`.
 */
export function postStatements(
  { people }: DatasetSize,
  { from, to, mostPosts, now }: { from: number; to: number; mostPosts: number; now: number },
): string[] {
  const author = `CASE WHEN i % 10 = 0 THEN 0 WHEN i % 25 = 1 THEN ${FIRST_REGULAR} + i / 25 % ${REGULARS} ELSE ${FIRST_OTHER} + i * 7919 % ${people - FIRST_OTHER} END`;
  const at = `${now - mostPosts * STEP_MS} + i * ${STEP_MS}`;
  const posts = counted(from, to);
  return [
    `${posts} INSERT INTO posts (id, author_id, title, teaser, content, state, published_at, created_at, updated_at)
      SELECT ${postId("i")}, ${personId(author)}, 'Publicação ' || i, 'Uma parte dela.', 'Hoje **tocamos** na praça, e foi assim:' || char(10) || char(10) || 'Número ' || i || ', com a rabeca de sempre e o povo em volta. A próxima é no domingo, depois da missa, no mesmo lugar de sempre.', 'published', ${at}, ${at}, ${at} FROM n`,
    `${posts} INSERT INTO post_access_rules (id, post_id, kind, plan_id)
      SELECT ${id("06", "i")}, ${postId("i")},
        CASE WHEN i % 10 = 0 THEN CASE i / 10 % 4 WHEN 0 THEN 'public' WHEN 1 THEN 'followers' WHEN 2 THEN 'subscribers' ELSE 'plan' END WHEN i % 5 = 4 THEN 'followers' ELSE 'public' END,
        CASE WHEN i % 40 = 30 THEN ${id("03", "1")} END FROM n`,
    `${posts} INSERT INTO media (id, owner_id, purpose, kind, content_type, size_bytes, width, height, alt, created_at)
      SELECT ${id("07", "i")}, ${personId(author)}, 'post', 'image', 'image/webp', 90000, 1280, 853, 'A praça cheia', ${at} FROM n WHERE i % 3 = 0`,
    `${posts} INSERT INTO post_media (post_id, media_id, position) SELECT ${postId("i")}, ${id("07", "i")}, 0 FROM n WHERE i % 3 = 0`,
    `${posts} INSERT INTO comments (id, post_id, author_id, body, created_at)
      SELECT ${id("08", "i")}, ${postId("i")}, ${personId(`${FIRST_OTHER} + i * 31 % ${people - FIRST_OTHER}`)}, 'Que beleza!', ${at} + 1000 FROM n WHERE i % 4 = 2`,
    `${posts} INSERT INTO post_likes (post_id, person_id, created_at)
      SELECT ${postId("i")}, ${personId(`${FIRST_OTHER} + i * 17 % ${people - FIRST_OTHER}`)}, ${at} + 2000 FROM n WHERE i % 2 = 1`,
  ];
}

/**
 * Inserts what does not depend on the number of posts: a post with many comments and likes, three
 * pinned posts, and authors who seldom publish.
 */
export function baseDataStatements(
  { people, followers }: DatasetSize,
  { mostPosts, now }: { mostPosts: number; now: number },
): string[] {
  const long = now - (mostPosts + 1) * STEP_MS;
  const measured = postId(String(MEASURED));
  return [
    `${counted(0, Math.min(LIKES_OF_MEASURED, followers))} INSERT INTO post_likes (post_id, person_id, created_at) SELECT ${measured}, ${personId(`${people} + i`)}, ${now} FROM n`,
    `${counted(0, COMMENTS_OF_MEASURED)} INSERT INTO comments (id, post_id, author_id, body, created_at)
      SELECT ${id("09", "i")}, ${measured}, ${personId(`${people} + i`)}, 'Estive lá, número ' || i, ${long} + i * 1000 FROM n`,
    `${counted(0, COMMENTS_OF_MEASURED * 2)} INSERT INTO comments (id, post_id, author_id, parent_id, body, created_at)
      SELECT ${id("10", "i")}, ${measured}, ${personId(`${people} + i + 7`)}, ${id("09", "i / 2")}, 'Eu também', ${long} + 900000 + i * 1000 FROM n`,
    `UPDATE posts SET pinned_at = ${now} WHERE id IN (${postId("0")}, ${postId("80")}, ${postId("120")})`,
    `${counted(0, SELDOM * SELDOM_POSTS)} INSERT INTO posts (id, author_id, title, content, state, published_at, created_at, updated_at)
      SELECT ${id("11", "i")}, ${personId(`${FIRST_SELDOM} + i % ${SELDOM}`)}, 'De vez em quando ' || i, 'Pouco, mas bom.', 'published', ${long} - i * 60000, ${long}, ${long} FROM n`,
    `${counted(0, 40)} INSERT INTO collection_posts (collection_id, post_id, position) SELECT ${id("13", "i % 4")}, ${postId("i * 10")}, i FROM n`,
    `${counted(0, SELDOM * SELDOM_POSTS)} INSERT INTO post_access_rules (id, post_id, kind) SELECT ${id("12", "i")}, ${id("11", "i")}, 'public' FROM n`,
  ];
}

/** The readers that are measured, by whom they follow and pay. */
export type Reader = "everyday" | "quiet" | "newcomer";

/** Makes a person that reader. `personSql` is an SQL expression of their id. */
export function readerStatements(reader: Reader, personSql: string, now: number): string[] {
  if (reader === "newcomer") return [];
  const [first, many] = reader === "everyday" ? [FIRST_REGULAR, REGULARS] : [FIRST_SELDOM, SELDOM];
  const circle = `${counted(first, first + many)} INSERT INTO follows (follower_id, creator_id, created_at) SELECT ${personSql}, ${personId("i")}, ${now} - i FROM n`;
  if (reader === "quiet") return [circle];
  return [
    circle,
    `INSERT INTO follows (follower_id, creator_id, created_at) VALUES (${personSql}, ${personId("0")}, ${now})`,
    `INSERT INTO subscriptions (id, fan_id, creator_id, plan_id, plan_price_id, interval, amount_cents, method, status, started_at, access_until, created_at, updated_at)
      VALUES (lower(hex(randomblob(16))), ${personSql}, ${personId("0")}, ${id("03", "1")}, ${id("04", "1")}, 'monthly', 1500, 'pix', 'active', ${now}, ${now + 30 * 86_400_000}, ${now}, ${now})`,
    `${counted(0, 3_000)} INSERT INTO notifications (id, person_id, kind, body, path, source_key, read_at, created_at)
      SELECT lower(hex(randomblob(16))), ${personSql}, 'post', 'Saiu uma publicação', '/', 'crowd-' || ${personSql} || '-' || i, iif(i < 7, NULL, ${now}), ${now} - i FROM n`,
  ];
}
