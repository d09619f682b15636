/** Conversations of the town. Whoever is named first begins, and the two take turns. */
export type Talk = { from: string; to: string; bodies: readonly string[] };

/** What fans ask Ana, and what she answers; each pair of lines is one conversation. */
export const questionsForAna: readonly (readonly [string, string])[] = [
  ["Ana, a rabeca nova já tem nome?", "Ainda não! Aceito sugestões."],
  ["Vai ter oficina em janeiro?", "Vai, na segunda quinzena. Aviso por aqui primeiro."],
  ["Minha filha dormiu ouvindo a faixa três.", "Que notícia boa de receber."],
  ["Qual corda você usa na prima?", "Aço fino, da mais simples. O segredo é trocar todo mês."],
  ["Perdi o ensaio aberto. Ficou gravado?", "Ficou: está no Camarim desde ontem."],
  ["Toco violão. Dá para começar rabeca sem professor?", "Dá, com paciência e um espelho."],
];

export const STRANGERS_QUESTION = "Olá, Ana! Toca num casamento em Blumenau, em março?";

/** One long conversation: what Lúcia and Ana say in turns, again and again. */
export const longTalk: readonly string[] = [
  "Ana, separei as fotos do terreiro para o encarte.",
  "Que maravilha, Lúcia. A de capa já escolhi!",
  "A da escada ou a do quintal?",
  "A do quintal, com a luz da tarde.",
  "Então mando para a gráfica amanhã cedo.",
  "Espere: falta o nome do mestre Salu na ficha.",
  "Anotado. Mais alguma coisa?",
  "O ano. Da última vez saiu errado e até hoje me cobram.",
];

/**
 * The chat of the event that takes place now: by the place in the list of fans, or its creator, and
 * the line that it answers.
 */
export const eventTalk: readonly (readonly [number | null, string, number?])[] = [
  [0, "Cheguei! Dá para ouvir daqui, o som está limpo."],
  [null, "Que bom! Estamos passando a segunda música, a da ladeira."],
  [1, "Essa parte do meio é nova?"],
  [null, "É, entrou ontem. Ainda tropeço nela.", 3],
  [2, "Toca de novo, por favor. Minha mãe acabou de sentar aqui."],
  [3, "Boa noite de Blumenau 👋"],
];

export const talks: readonly Talk[] = [
  {
    from: "caio.brito",
    to: "ana",
    bodies: [
      "Ana, quarta à noite serve para a minha aula do mês?",
      "Serve, Caio! Às 19h30. Traga aquela frase que repete.",
      "Fechado. Já estou cantando a resposta.",
    ],
  },
  {
    from: "felipe.arruda",
    to: "ana",
    bodies: [
      "Onde compro crina para o arco aqui no Recife?",
      "Na loja do seu Expedito, no mercado. Diga que fui eu que mandei.",
    ],
  },
  {
    from: "bruno",
    to: "cida",
    bodies: [
      "Dona Cida, fiz o bolo de fubá e murchou. O que foi?",
      "Abriu o forno antes da hora, meu filho?",
      "Abri.",
      "Então já sabe. Faz de novo e não espia.",
    ],
  },
  {
    from: "rosa.maria",
    to: "tiao",
    bodies: [
      "Seu Tião, o banco ficou pronto! Posso levar aí para ver?",
      "Pode, dona Rosa. Sábado de manhã, que tem café.",
    ],
  },
  {
    from: "fatima.holanda",
    to: "jaci",
    bodies: [
      "Meu folheto chegou molhado de chuva…",
      "Mando outro na segunda, Fátima. Esse a senhora seca e vira história.",
    ],
  },
  {
    from: "dani.queiroz",
    to: "bia",
    bodies: [
      "Me reconheci na padaria! Era o meu casaco mesmo?",
      "Era! Guardei do seu perfil. O pão foi ideia do Boto.",
    ],
  },
  {
    from: "eduardo.sato",
    to: "otavio",
    bodies: [
      "A luneta emprestada volta sábado, com história.",
      "Então reservo dez minutos só para a história, Eduardo.",
    ],
  },
  {
    from: "bruno",
    to: "tiao",
    bodies: [
      "Seu Tião, a plaina que o senhor indicou chegou!",
      "Agora afia antes de usar, menino.",
    ],
  },
  {
    from: "bruno",
    to: "jaci",
    bodies: [
      "Jaci, o folheto do boi tem segunda parte?",
      "Tem, e sai no sábado. Guardo um para você.",
    ],
  },
  {
    from: "bruno",
    to: "rua8",
    bodies: ["Salve! A camiseta preta volta?", "Volta em dezembro, tamanho M e G."],
  },
  {
    from: "bruno",
    to: "lia",
    bodies: ["Lia, aquela muda pegou!", "Eu disse que pegava. Água só de manhã, viu?"],
  },
];
