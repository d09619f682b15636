import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const zefa: SeedCreator = {
  username: "zefa",
  name: "Zefa Bordadeira",
  fullName: "Josefa Maria Dantas",
  birthDate: "1963-03-08",
  craft: "bordado e ponto cruz",
  category: "crafts",
  city: "Caicó, RN",
  bio: "Bordado do Seridó, ponto por ponto. Gráficos para imprimir, avesso limpo e as histórias que a gente conta enquanto a linha corre.",
  face: { ground: paper.pink, shirt: paper.forest, skin: "#A8714A", hair: "#8C8378", style: "scarf" },
  plans: [
    { name: "Meada", description: "Um gráfico novo por semana.", benefits: ["Gráfico em PDF, com legenda de cores", "Lista de linhas"], prices: [{ interval: "monthly", amountCents: 900 }], seatsLimit: null, welcomeMessage: "Linha na agulha? O gráfico da rosa é fácil e fica lindo em pano de prato." },
    { name: "Bastidor", description: "Borde comigo.", benefits: ["Tudo da Meada", "Vídeo de cada ponto", "Roda de bordado às quartas"], prices: [{ interval: "monthly", amountCents: 2200 }, { interval: "annual", amountCents: 21900 }], seatsLimit: 50, welcomeMessage: "Seja bem-vinda à roda. Quarta, às três da tarde; pode vir só ouvir." },
  ],
  paidCents: 1300,
  collections: [
    { title: "Gráficos de barrado", description: "Pano de prato, toalha e lençol.", size: 6, match: /[Gg]ráfico|Barrado/ },
    { title: "Pontos do Seridó", description: "Do richelieu ao matiz.", size: 4, match: /avesso|Richelieu|Matiz|agulha/ },
  ],
  event: { title: "Roda de bordado na casa de cultura", place: "Casa de Cultura de Caicó", inDays: 2, weekday: 3, hour: 15 },
  posts: [
    post("public", "rosas", "Gráfico da rosa de três cores", "Para barrado de pano de prato. Trinta e um pontos de altura, quatro linhas.", "Comece pelo miolo, sempre, e conte duas vezes antes de puxar a primeira. Rosa que começa pela folha sai torta.", "As cores são sugestão. Minha mãe fazia azul, porque vermelho era caro, e todo mundo achou que era moda dela."),
    post("subscribers", "passaros", "Gráfico: concriz no galho", "O passarinho daqui, com a peninha laranja. Dificuldade média.", "O concriz canta cedo e rouba fruta, mas ninguém tem coragem de reclamar. Bordei o bico aberto, que é como ele vive.", "Use um fio só no olho. Com dois ele fica assustado."),
    post("plan2", "medalhao", "Vídeo: avesso limpo, a prova da bordadeira", "Como começar sem nó e terminar escondendo o fio.", "A freguesa antiga virava o pano antes de olhar o direito. Se tivesse nó, devolvia.", "O começo em laço resolve metade. No vídeo mostro bem de perto, três vezes, com linha vermelha para vocês enxergarem."),
    post("public", "casinhas", "A rua da minha infância em ponto cruz", "Seis casas, cada uma de uma cor. A nossa é a de porta verde.", "A primeira era de dona Chiquinha, que fazia chouriço doce. A terceira tinha papagaio. Na última moravam dois irmãos que não se falavam e dividiam a parede.", "Bordei de memória e minha irmã já corrigiu duas janelas."),
    post("followers", "coracoes", "Qual tecido comprar", "Etamine, cânhamo ou linho? E quanto custa na feira.", "Para aprender, etamine de contagem grande, que a vista agradece. Linho é para enxoval e para quem tem paciência com o fio.", "Lave antes. Todo pano mente o tamanho na loja."),
    post("early", "rosas", "Barrado de Natal, sem papai noel", "Assinantes começam hoje, que dezembro voa. Aberto no domingo.", "Flor de mandacaru, estrela e pitanga. O nosso Natal é quente, e a neve aqui é de algodão.", "Fiz em duas larguras, para pano de prato e para caminho de mesa."),
    post("subscribers", "medalhao", "Medalhão de toalha, um quarto de gráfico", "Você borda um canto e espelha os outros três.", "Marque o meio com linha solta, na vertical e na horizontal. Sem isso o espelho entorta e só se descobre no fim.", "São cinco mil e poucos pontos. Eu fiz em três semanas, ouvindo novela."),
    post("plan2", "passaros", "Richelieu sem medo da tesoura", "O vídeo mais pedido. Cortar é a parte boa, eu juro.", "Primeiro o caseado bem fechado, depois as pontes, por último a tesourinha de ponta curva, com a mão apoiada na mesa.", "Se escapou um fio, cola de tecido e ninguém viu. Se escaparam três, vira flor."),
    post("public", null, "Quanto vale um lençol bordado", "A conta de horas que ninguém faz. Fiz.", "Cento e dez horas, três meadas de cada cor, seis metros de linho. A duzentos reais, dá menos que um real a hora.", "Por isso a gente se juntou, e por isso eu estou aqui ensinando: quem borda sabe o preço."),
    post("paid", "medalhao", "Caderno de 40 gráficos da minha avó", "Passei a limpo, quadrinho por quadrinho, o caderno de 1931.", "Ela riscava em papel de embrulho, com carvão. Tem flor que não existe e bicho que talvez tenha existido.", "Deixei os erros dela onde estavam e pus uma observação pequenininha do lado."),
    post("subscribers", "coracoes", "Gráfico: corações de canto", "Para guardanapo. Uma tarde e está pronto.", "Dois corações que se encontram na quina. Para noiva, sessenta; para visita, seis.", "Se a quina não fechar, desmanche. Eu desmancho até hoje."),
    post("followers", "casinhas", "A roda de quarta", "Onze mulheres, um homem e um menino que veio buscar a avó e ficou.", "O menino pediu agulha sem ponta e fez um quadradinho inteiro. Está pregado na parede.", "A roda começou com quatro. Cadeira a gente arranja."),
    post("plan2", "rosas", "Matiz: pintar com linha", "Fio curto e fio longo, sem degrau. Com pétala de verdade do lado.", "Ponha a flor na mesa e olhe onde escurece. A linha segue o rumo da pétala, nunca atravessa.", "Cinco tons bastam. Mais que isso é vaidade, e dá mais trabalho."),
    post("public", "passaros", "O enxoval da Teresa Neta", "Três gerações bordando para uma menina que nem anda.", "Eu fiz os lençóis, minha filha as fraldas, minha irmã o que sobrou. O pai, que é pedreiro, bordou um T torto. É o preferido.", "Aqui estão todos, com o T em primeiro lugar."),
    post("subscribers", "casinhas", "Gráfico: igrejinha de Sant’Ana", "A festa é em julho, mas o bordado começa agora.", "Duas torres, escadaria de sete degraus. Quem é de Caicó vai contar os degraus.", "São sete mesmo, eu fui lá."),
    post("public", "coracoes", "Por que agulha perde a ponta", "E outras coisas que as mãos sabem antes da gente.", "Agulha de ponto cruz já nasce sem ponta, para abrir o tecido e não furar. Serve para muita coisa nesta vida.", "Guarde-as num sabonete: escorregam melhor e cheiram bem."),
    post("followers", null, "Resposta à Ivanilde sobre a vista", "Luz do lado esquerdo, óculos limpos e descanso de vinte em vinte minutos.", "Quem borda de noite com luz no teto borda na própria sombra. Compre um abajur antes de comprar mais linha.", "E beba água, que olho seco enxerga embaçado."),
    post("subscribers", "rosas", "Gráfico: jardim de cacto", "Flor em cima de espinho, que é o nosso jeito.", "Verde de dois tons e rosa bem vivo. Os espinhos são pontinhos soltos, um aqui e outro ali.", "Fica bom em almofada, desde que ninguém se lembre dos espinhos."),
    post("public", "medalhao", "O pano que viajou para o Japão", "Uma moça comprou na feira e mandou foto da parede dela em Osaka.", "Está emoldurado ao lado de um bordado de lá, que eles chamam de sashiko. Os dois se parecem, e nenhum dos dois sabia.", "Estou aprendendo o ponto deles. É reto e calmo."),
    post("public", "casinhas", "Minha sobrinha disse: tia, bota no Coreto", "Sou Zefa, bordo desde os sete. Venha aprender, que é devagar mesmo.", "Ela fotografa, eu bordo e falo. Toda semana vai ter um gráfico, e às quartas a roda.", "Traga a sua agulha. A conversa a gente tem de sobra."),
  ],
};
