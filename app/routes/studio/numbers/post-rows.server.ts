import { postDays, postNumbers, postReach } from "#app/domain/analytics/posts/queries.server.ts";
import { retentionCurve } from "#app/domain/analytics/posts/rules.ts";
import { postOrders } from "#app/domain/analytics/posts/schema.ts";
import { moneyCell, textCell } from "#app/domain/csv.ts";
import { isoDay, isoOfDayNumber } from "#app/domain/time.ts";
import { daysOf } from "./money-rows.server.ts";
import type { Numbers, Rows } from "./money-rows.server.ts";

const POSTS_HEAD = [
  "Publicação",
  "Publicada em",
  "Visualizações",
  "Leitores",
  "Reproduções",
  "Leitura média em segundos",
  "Curtidas",
  "Comentários",
  "Assinaturas em 7 dias",
  "E-mails",
  "Abertos",
  "Clicados",
];

/** The posts of the range, in the order of the page. */
export async function postRows(asked: Numbers, search: URLSearchParams): Promise<Rows> {
  const { ctx, creatorId, money, parsed } = asked;
  const order = postOrders.find((one) => one === search.get("order")) ?? "views";
  const posts = await postNumbers(ctx, { creatorId, range: parsed.range, order });
  const orEmpty = (count: number | null): string => (count === null ? "" : String(count));
  return [
    [...POSTS_HEAD, ...(money ? ["Vendas", "Vendido"] : [])],
    ...posts.map((post) => [
      textCell(post.title),
      isoDay(post.publishedAt),
      ...[post.views, post.readers, post.plays].map(String),
      orEmpty(post.readSeconds && Math.round(post.readSeconds)),
      ...[post.likesCount, post.commentsCount, post.startsWithinWeek].map(String),
      ...[post.mailsSent, post.mailsOpened, post.mailsClicked].map(orEmpty),
      ...(money ? [String(post.sales), moneyCell(post.salesCents)] : []),
    ]),
  ];
}

const asksPost = ({ creatorId, parsed: { range } }: Numbers, search: URLSearchParams) => ({
  creatorId,
  range,
  postId: search.get("post") ?? "",
});

/** The days of one post. */
export async function onePostRows(asked: Numbers, search: URLSearchParams): Promise<Rows> {
  const days = await postDays(asked.ctx, asksPost(asked, search));
  const of = new Map(days.map((row) => [row.day, row]));
  return [
    ["Dia", "Visualizações", "Leitores"],
    ...[...daysOf(asked.parsed.range)].map((day) => [
      isoOfDayNumber(day),
      String(of.get(day)?.views ?? 0),
      String(of.get(day)?.readers ?? 0),
    ]),
  ];
}

/** The retention curve of one post's file. */
export async function retentionRows(asked: Numbers, search: URLSearchParams): Promise<Rows> {
  const curve = retentionCurve(await postReach(asked.ctx, asksPost(asked, search)));
  return [
    ["Pelo menos", "Reproduções", "Parte"],
    ...curve.map(({ percent, plays, share }) => [
      `${percent}%`,
      String(plays),
      String(Math.round(share * 1_000) / 10).replace(".", ","),
    ]),
  ];
}
