export const BIO_MAX = 600;

export const CRAFT_MAX = 60;

export const CITY_MAX = 60;

/** What creators make here, as they declare on their own page. */
export const creatorCategories = [
  "music",
  "podcast",
  "video",
  "stage",
  "art",
  "comics",
  "photography",
  "crafts",
  "writing",
  "education",
  "games",
  "sports",
  "food",
  "nature",
  "science",
] as const;

export type CreatorCategory = (typeof creatorCategories)[number];

export const CATEGORY_LABELS: Record<CreatorCategory, string> = {
  music: "Música",
  podcast: "Podcasts",
  video: "Vídeo e cinema",
  stage: "Dança e teatro",
  art: "Arte e ilustração",
  comics: "Quadrinhos",
  photography: "Fotografia",
  crafts: "Ofícios e artesanato",
  writing: "Escrita e poesia",
  education: "Aulas e estudo",
  games: "Jogos",
  sports: "Esporte",
  food: "Cozinha",
  nature: "Plantas e bichos",
  science: "Ciência e tecnologia",
};
