import type { Cents } from "#app/domain/money.ts";
import type { CreatorCategory } from "#app/domain/profiles/rules/categories.ts";

/** What a creator makes: a category of Explore, or something else. */
export type KindOfWork = CreatorCategory | "other";

/** The texts and the monthly price of a plan, in centavos, to start from. */
export type PlanSuggestion = {
  name: string;
  amountCents: Cents;
  description: string;
  benefits: string[];
};

/** A suggestion as the table has it, without the benefits of the cheaper plan. */
type TablePlan = PlanSuggestion & {
  /** The benefit that names the cheaper plan before it, which it includes; null for the first. */
  includesPrevious: string | null;
};

const plan = (
  name: string,
  amountCents: Cents,
  description: string,
  ...benefits: string[]
): TablePlan => ({ name, amountCents, description, benefits, includesPrevious: null });

const higherPlan = (
  name: string,
  amountCents: Cents,
  description: string,
  includesPrevious: string,
  ...benefits: string[]
): TablePlan => ({ name, amountCents, description, benefits, includesPrevious });

/** Two or three plans for each kind of work, the cheapest first. */
export const SUGGESTED_PLANS: Record<KindOfWork, readonly TablePlan[]> = {
  music: [
    plan("Plateia", 1_290, "Para ouvir antes.", "Músicas novas antes de todo mundo", "Letras"),
    higherPlan(
      "Camarim",
      2_490,
      "O que acontece antes do palco.",
      "Tudo da Plateia",
      "Gravações de ensaio",
      "Partituras e cifras",
    ),
    higherPlan(
      "Banda de apoio",
      5_990,
      "Para quem faz o disco acontecer.",
      "Tudo do Camarim",
      "O seu nome nos créditos",
      "Um encontro on-line por mês",
    ),
  ],
  podcast: [
    plan("Ouvinte", 1_290, "O programa sem anúncios.", "Episódios sem anúncios", "Um dia antes"),
    higherPlan(
      "Bastidores",
      2_490,
      "O que ficou fora do ar.",
      "Tudo do Ouvinte",
      "Um episódio extra por mês",
      "A lista de fontes de cada episódio",
    ),
  ],
  video: [
    plan("Sessão", 1_490, "Ver antes da estreia.", "Vídeos antes de todo mundo", "Sem anúncios"),
    higherPlan(
      "Sala de montagem",
      2_990,
      "Como cada vídeo é feito.",
      "Tudo da Sessão",
      "Cenas cortadas e erros",
      "Roteiros em PDF",
    ),
  ],
  stage: [
    plan("Arquibancada", 1_490, "Perto do palco.", "Fotos e vídeos de ensaio", "Agenda antes"),
    higherPlan(
      "Coxia",
      2_990,
      "Por trás da cortina.",
      "Tudo da Arquibancada",
      "Ensaio aberto on-line uma vez por mês",
      "Convites quando houver temporada",
    ),
  ],
  art: [
    plan("Caderno", 1_290, "Os esboços do mês.", "Esboços em alta resolução", "Papéis de parede"),
    higherPlan(
      "Ateliê",
      2_490,
      "O processo inteiro.",
      "Tudo do Caderno",
      "Vídeo do passo a passo",
      "Arquivos em camadas",
    ),
    higherPlan(
      "Coleção",
      6_990,
      "Um pedaço do ateliê.",
      "Tudo do Ateliê",
      "Uma gravura assinada por ano",
      "Voto no tema do mês",
    ),
  ],
  comics: [
    plan("Leitura antecipada", 1_290, "Ler antes.", "Páginas novas uma semana antes", "Extras"),
    higherPlan(
      "Prancheta",
      2_490,
      "Do roteiro à arte-final.",
      "Tudo da Leitura antecipada",
      "Roteiros e esboços",
      "Edições completas em PDF",
    ),
    higherPlan(
      "Personagem",
      5_990,
      "Para entrar na história.",
      "Tudo da Prancheta",
      "O seu nome nos agradecimentos",
      "Voto no rumo da próxima história",
    ),
  ],
  photography: [
    plan("Álbum", 1_490, "As fotos do mês.", "Fotos em alta resolução", "Papéis de parede"),
    higherPlan(
      "Laboratório",
      2_990,
      "Como cada foto foi feita.",
      "Tudo do Álbum",
      "Câmera, luz e edição explicadas",
      "Ajustes prontos para baixar",
    ),
  ],
  crafts: [
    plan("Bancada", 1_490, "O que está sendo feito.", "Diário das peças", "Compra antes de todos"),
    higherPlan(
      "Aprendiz",
      2_990,
      "Para fazer junto.",
      "Tudo da Bancada",
      "Um passo a passo por mês",
      "Moldes e medidas em PDF",
    ),
  ],
  writing: [
    plan("Leitor", 1_290, "Os textos inteiros.", "Um texto inédito por semana", "Sem anúncios"),
    higherPlan(
      "Gaveta",
      2_490,
      "O que ainda não saiu.",
      "Tudo do Leitor",
      "Rascunhos e versões",
      "Capítulos antes do livro",
    ),
  ],
  education: [
    plan("Caderno de aula", 1_990, "Para estudar no seu ritmo.", "Resumos em PDF", "Exercícios"),
    higherPlan(
      "Turma",
      3_990,
      "Para estudar junto.",
      "Tudo do Caderno de aula",
      "Uma aula ao vivo por mês",
      "Dúvidas respondidas toda semana",
    ),
    higherPlan(
      "Mentoria",
      9_990,
      "Para ir mais longe.",
      "Tudo da Turma",
      "Correção de um trabalho por mês",
      "Conversa individual de 30 minutos",
    ),
  ],
  games: [
    plan("Jogador 2", 1_290, "Jogar antes.", "Versões de teste", "Diário de desenvolvimento"),
    higherPlan(
      "Fase secreta",
      2_490,
      "Por dentro do jogo.",
      "Tudo do Jogador 2",
      "Partida com quem assina uma vez por mês",
      "O seu nome nos créditos",
    ),
  ],
  sports: [
    plan("Arquibancada", 1_490, "Perto do treino.", "Diário de treinos", "Bastidores das provas"),
    higherPlan(
      "Treino junto",
      3_490,
      "Para treinar junto.",
      "Tudo da Arquibancada",
      "Uma planilha por mês",
      "Dúvidas respondidas toda semana",
    ),
  ],
  food: [
    plan(
      "Prova",
      1_290,
      "As receitas inteiras.",
      "Uma receita inédita por semana",
      "Listas de compras",
    ),
    higherPlan(
      "Cozinha aberta",
      2_990,
      "Para cozinhar junto.",
      "Tudo da Prova",
      "Uma aula em vídeo por mês",
      "Cardápio do mês em PDF",
    ),
  ],
  nature: [
    plan("Muda", 1_290, "O que brota no mês.", "Calendário de cuidados", "Diário do quintal"),
    higherPlan(
      "Jardim",
      2_490,
      "Para cuidar junto.",
      "Tudo da Muda",
      "Um guia por mês em PDF",
      "Dúvidas respondidas toda semana",
    ),
  ],
  science: [
    plan(
      "Curiosidade",
      1_290,
      "Entender melhor.",
      "Um texto a mais por semana",
      "Fontes comentadas",
    ),
    higherPlan(
      "Bancada",
      2_990,
      "Como se descobre.",
      "Tudo da Curiosidade",
      "Dados e códigos para baixar",
      "Perguntas respondidas ao vivo uma vez por mês",
    ),
  ],
  other: [
    plan(
      "Apoio",
      1_290,
      "Para manter de pé.",
      "Publicações só para quem assina",
      "Novidades antes",
    ),
    higherPlan(
      "De perto",
      2_990,
      "Para acompanhar de perto.",
      "Tudo do Apoio",
      "Bastidores toda semana",
      "Voto no que vem depois",
    ),
  ],
};

/** What a subscription pays for, as the welcome message says it. */
export const PAID_WORK: Record<KindOfWork, string> = {
  music: "é com a sua assinatura que a próxima música sai do papel.",
  podcast: "é com a sua assinatura que o próximo episódio vai ao ar.",
  video: "é com a sua assinatura que o próximo vídeo é gravado.",
  stage: "é com a sua assinatura que o próximo ensaio acontece.",
  art: "é com a sua assinatura que o próximo desenho ganha tempo.",
  comics: "é com a sua assinatura que a próxima página é desenhada.",
  photography: "é com a sua assinatura que a próxima foto é feita.",
  crafts: "é com a sua assinatura que a próxima peça toma forma.",
  writing: "é com a sua assinatura que o próximo texto é escrito.",
  education: "é com a sua assinatura que a próxima aula é preparada.",
  games: "é com a sua assinatura que a próxima fase fica pronta.",
  sports: "é com a sua assinatura que o próximo treino acontece.",
  food: "é com a sua assinatura que a próxima receita é testada.",
  nature: "é com a sua assinatura que o próximo canteiro é plantado.",
  science: "é com a sua assinatura que a próxima pesquisa vira texto.",
  other: "é com a sua assinatura que o próximo trabalho acontece.",
};
