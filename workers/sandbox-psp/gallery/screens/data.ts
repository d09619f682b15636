import type { Comment, CommentThread } from "#app/domain/comments/schema.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Plan } from "#app/domain/plans/schema.ts";
import type { Post, PostPreview } from "#app/domain/posts/schema.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import { instantOf } from "#app/domain/time.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The instant at which every example is shown: 11 November 2026, noon in São Paulo. */
export const NOW = instantOf({ year: 2026, month: 11, day: 11 }) + 12 * HOUR_MS;
export const ORIGIN = "https://coreto.example";
export const LONG_NAME = "Maria Aparecida dos Santos Albuquerque de Vasconcelos Montenegro";
export const LONG_WORD = "Pneumoultramicroscopicossilicovulcanoconiótico".repeat(2);
export const noop = (): void => {};

export const QR = {
  size: 21,
  path: "M0 0h7v7h-7zM14 0h7v7h-7zM0 14h7v7h-7zM9 1h2v3h-2zM8 8h5v2h-5zM15 9h3v4h-3zM9 13h3v6h-3zM15 16h5v3h-5z",
};

export const picture: MediaItem = {
  id: "exemplo",
  kind: "image",
  contentType: "image/jpeg",
  width: 1_200,
  height: 800,
  alt: "Um coreto de papel recortado sob varais de bandeirinhas.",
  filename: "",
  sizeBytes: 120_000,
  hasPoster: false,
  captionsVersion: 0,
};
export const document: MediaItem = {
  ...picture,
  id: "cifra",
  kind: "document",
  contentType: "application/pdf",
  width: 0,
  height: 0,
  alt: "",
  filename: "cifra-de-asa-branca.pdf",
};
export const audio: MediaItem = {
  ...document,
  id: "ensaio",
  kind: "audio",
  contentType: "audio/mpeg",
  filename: "ensaio.mp3",
};
export const video: MediaItem = {
  ...picture,
  id: "bastidores",
  kind: "video",
  contentType: "video/mp4",
  filename: "bastidores.mp4",
};

export const ana: PublicProfile = {
  id: "ana",
  username: "ana",
  name: "Ana Prado",
  bio: "Toco rabeca e conto como cada música nasceu.\nToda sexta, uma gravação nova.",
  city: "Olinda",
  craft: "Rabequeira",
  category: "music",
  avatarMediaId: null,
  bannerMediaId: null,
  links: [{ title: "Meu canal", url: "https://exemplo.com.br/ana" }],
  isCreator: true,
  followersCount: 1_284,
  subscribersCount: 96,
  postsCount: 42,
  createdAt: NOW - 400 * DAY_MS,
};
export const bia: PublicProfile = {
  ...ana,
  id: "bia",
  username: "bia",
  name: LONG_NAME,
  craft: "Quadrinista, professora de desenho e editora independente",
  city: "Vila Bela da Santíssima Trindade",
  bio: "",
  links: [],
  followersCount: 1,
  subscribersCount: 1,
  postsCount: 1,
};
export const newcomer: PublicProfile = {
  ...ana,
  id: "caio",
  username: "caio",
  name: "Caio",
  craft: "",
  city: "",
  bio: "",
  links: [],
  followersCount: 0,
  subscribersCount: 0,
  postsCount: 0,
};

const author = { id: "ana", name: "Ana Prado", username: "ana", avatarMediaId: null };
export const post: PostPreview = {
  id: "exemplo",
  title: "Itinerário de março",
  teaser: "Onde toco no mês que vem.",
  excerpt: "Começo no Recife, no Teatro do Parque, e sigo para Olinda no dia nove.",
  isExcerptCut: true,
  publishedAt: NOW - 3 * HOUR_MS,
  editedAt: null,
  isPinned: false,
  isSensitive: false,
  state: "published",
  likesCount: 12,
  commentsCount: 3,
  areCommentsClosed: false,
  isLiked: false,
  author,
  rules: [{ kind: "public", planId: null, amountCents: null, opensAt: null }],
  plans: [],
  media: [],
  poll: null,
  access: { visible: true },
  isOwn: false,
  publishedBy: null,
};
export const longPost: PostPreview = {
  ...post,
  id: "comprida",
  title: `${LONG_WORD} e outras palavras que não cabem numa linha só do celular`,
  author: { ...author, name: LONG_NAME },
  publishedBy: LONG_NAME,
  editedAt: NOW - HOUR_MS,
  isPinned: true,
  isLiked: true,
  likesCount: 1,
  commentsCount: 0,
};
const locked = (access: Partial<Extract<Post["access"], { visible: false }>>): PostPreview => ({
  ...post,
  excerpt: "",
  media: [picture],
  access: {
    visible: false,
    reasons: [{ kind: "subscribers" }],
    cheapestUnlock: {
      kind: "plan",
      way: { kind: "subscribe" },
      planId: "camarim",
      planName: "Camarim",
      interval: "monthly",
      amountCents: 1_990,
    },
    otherUnlocks: [{ kind: "price", amountCents: 3_500 }],
    awayUntil: null,
    ...access,
  },
});
export const lockedPosts = {
  "para assinantes": locked({}),
  "para seguidores": locked({
    reasons: [{ kind: "followers" }],
    cheapestUnlock: { kind: "follow" },
    otherUnlocks: [],
  }),
  "por um preço": locked({
    reasons: [{ kind: "price", amountCents: 3_500 }],
    cheapestUnlock: { kind: "price", amountCents: 3_500 },
    otherUnlocks: [],
  }),
  "abre mais tarde": locked({
    reasons: [{ kind: "opens_later", opensAt: NOW + 2 * DAY_MS }],
    cheapestUnlock: null,
    otherUnlocks: [],
  }),
  "criador de férias": locked({
    cheapestUnlock: null,
    otherUnlocks: [],
    awayUntil: NOW + 12 * DAY_MS,
  }),
} as const;

export const plan: Plan = {
  id: "camarim",
  creatorId: "ana",
  name: "Camarim",
  description: "O que não cabe no palco.",
  benefits: ["Uma gravação por semana", "Cifras e partituras", "Seu nome no encarte"],
  state: "active",
  seatsLimit: null,
  seatsTaken: 96,
  welcomeMessage: "Que bom que você veio! Comece pela gravação de sexta.",
  trialDays: 0,
  prices: [{ id: "mensal", interval: "monthly", amountCents: 1_990 }],
  createdAt: NOW - 90 * DAY_MS,
};
export const fullPlan: Plan = {
  ...plan,
  id: "plateia",
  name: "Primeira fila de uma plateia com um nome muito comprido",
  seatsLimit: 10,
  seatsTaken: 10,
  benefits: [LONG_WORD],
  prices: [
    { id: "mes", interval: "monthly", amountCents: 123_456 },
    { id: "ano", interval: "annual", amountCents: 1_200_000 },
  ],
};
export const trialPlan: Plan = {
  ...plan,
  id: "varanda",
  name: "Varanda",
  trialDays: 7,
  benefits: [],
  description: "",
  seatsLimit: 20,
  seatsTaken: 19,
};

const may = {
  like: true,
  reply: true,
  edit: false,
  remove: false,
  restore: false,
  hide: false,
  show: false,
  pin: false,
};
export const comment: Comment = {
  id: "comentario",
  state: "there",
  body: "Que gravação bonita, @ana! Quando tem outra?",
  mentions: ["ana"],
  createdAt: NOW - 2 * HOUR_MS,
  isEdited: false,
  isPinned: false,
  isHeld: false,
  author: { id: "bruno", name: "Bruno Lima", username: "bruno", avatarMediaId: null },
  isByHost: false,
  isOwn: false,
  isLiked: false,
  likesCount: 4,
  may,
};
export const thread: CommentThread = {
  ...comment,
  repliesCount: 1,
  replies: [
    {
      ...comment,
      id: "resposta",
      body: "Sexta que vem.",
      author: { ...author },
      isByHost: true,
      isOwn: true,
      isEdited: true,
      may: { ...may, edit: true, remove: true },
    },
  ],
};
export const removedThread: CommentThread = {
  ...thread,
  id: "removido",
  state: "removed",
  body: "",
  author: null,
  replies: [{ ...comment, id: "oculto", state: "hidden", body: "", author: null }],
};

/** A form that came back with a message beside the field and one above. */
export const problem = (
  errors: Record<string, string>,
  values: Record<string, string> = {},
): FormProblem => ({ errors, values, message: "Confira o que está marcado e tente de novo." });
