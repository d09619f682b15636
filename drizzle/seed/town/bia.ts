import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const bia: SeedCreator = {
  username: "bia",
  name: "Bia Fontes",
  fullName: "Beatriz Fontes Lacerda",
  birthDate: "1998-02-02",
  craft: "quadrinhos de gato",
  category: "comics",
  city: "Belo Horizonte, MG",
  bio: "Faço a “Tetê e o Boto”: uma menina de cabelo armado, um gato de opinião. Tira nova terça e sexta, e o processo inteiro.",
  face: { ground: paper.pink, shirt: paper.blue, skin: "#E3B08C", hair: "#15100D", style: "afro", glasses: true },
  plans: [
    { name: "Ração", description: "Mantém o gato vivo.", benefits: ["Tiras três dias antes", "Rascunhos"], prices: [{ interval: "monthly", amountCents: 700 }], seatsLimit: null, welcomeMessage: "O Boto agradece com um miado curto. As tiras novas já estão abertas para você." },
    { name: "Sachê", description: "Do bom.", benefits: ["Tudo da Ração", "Aulas de roteiro e desenho", "Arquivo aberto de cada página"], prices: [{ interval: "monthly", amountCents: 1800 }], seatsLimit: null, welcomeMessage: "Sachê aberto! O arquivo em camadas da última página está na coleção “Processo”." },
    { name: "Poltrona", description: "O lugar preferido dele.", benefits: ["Tudo do Sachê", "Uma tira original por ano, em papel", "Você aparece de figurante"], prices: [{ interval: "monthly", amountCents: 6000 }], seatsLimit: 8, welcomeMessage: "Mande uma foto sua, de frente, para eu te pôr numa rua qualquer da história." },
  ],
  paidCents: 2500,
  sellsAlone: true,
  collections: [
    { title: "Tetê e o Boto, ano 3", description: "Na ordem, do primeiro ao último.", size: 7, match: /^Tira|Tetê/ },
    { title: "Processo", description: "Do rabisco ao arquivo final.", size: 5, match: /[Rr]ascunho|Arquivo|Roteiro|Cores|Aula/ },
  ],
  event: { title: "Desenhe junto: sua primeira tira", place: "Ao vivo no Coreto", inDays: 7, weekday: 6, hour: 15 },
  posts: [
    post("public", "tira", "Tira 212: segunda-feira", "A Tetê acorda animada. O Boto faz o que pode para impedir.", "Esta nasceu numa segunda de verdade, em que eu acordei bem e o meu gato sentou no meu peito até passar.", "Reparem que ele só aparece no segundo quadro. No primeiro já está lá, mas embaixo da coberta."),
    post("subscribers", "rascunho", "Rascunhos da 213 (sai sexta)", "Três finais possíveis. Um deles é triste demais, ou não.", "No final A ele volta. No B ela vai buscar. No C os dois dormem em lugares diferentes e o último quadro é só o corredor.", "Estou quase no C. Me segurem ou me empurrem."),
    post("plan2", "pagina", "Arquivo aberto: página 30, em camadas", "Lápis, nanquim, cor e letra, separados. Pode mexer.", "A camada “socorro” são as correções depois da meia-noite. O relógio do terceiro quadro foi redesenhado nove vezes para marcar uma hora impossível.", "Usem para estudar. Se republicarem, marquem o Boto."),
    post("public", "cidade", "A rua da Tetê existe", "É a Rua Pouso Alegre, na Floresta. Levei o caderno e fui conferir.", "Faltavam duas casas da tira 40 e sobrava um prédio. Pus o prédio na história como vilão, depois fiquei com pena, porque mora gente.", "A senhora da casa amarela sabia que era a casa dela. Ganhou a tira emoldurada e me deu couve."),
    post("followers", "retrato", "Como a Tetê ficou com esse cabelo", "Foi um borrão. Juro.", "Em 2021 caiu nanquim na página. Em vez de jogar fora, fui arredondando o borrão até ele ter olhos embaixo.", "Toda personagem boa minha começou como problema."),
    post("early", "tira", "Tira 211: o pote", "Assinantes riem hoje, vocês riem na terça.", "Quatro palavras na tira inteira, e três são “não”. Foi a mais difícil do mês.", "O pote é inspirado em um pote que não vou mostrar, porque está colado com fita."),
    post("plan2", "rascunho", "Aula: expressão em três traços", "Sobrancelha, pálpebra e canto da boca. O resto é enfeite.", "Desenhe o mesmo rosto vinte vezes e mude só a sobrancelha. Depois só a pálpebra. Você vai descobrir que o nariz nunca fez nada.", "A folha para imprimir está anexa."),
    post("public", null, "Sobre prazo", "Esta semana não teve tira de terça. Foi febre, não foi preguiça.", "Eu poderia ter reciclado uma antiga. Preferi dormir. O Boto aprovou a decisão deitando em cima da mesa digital.", "Sexta tem duas."),
    post("paid", "pagina", "“Gato de mudança”, 48 páginas", "A história completa, que nunca saiu em tira. Um caminhão, uma cidade nova e um gato dentro da caixa errada.", "Levei onze meses. É sobre mudar de casa aos sete anos, que é uma coisa que aconteceu comigo, com outro gato.", "Tem um capítulo mudo. Leia devagar, por favor."),
    post("subscribers", "tira", "Tira 210: veterinário", "O roteiro original era maior. Está aqui, com o que cortei e por quê.", "Cortei a piada da balança porque a balança já era a piada. Explicar é pôr legenda em espirro.", "A sala de espera tem sete bichos. O quarto da esquerda é fã de vocês."),
    post("plan3", "retrato", "Figurantes de dezembro", "Onde cada um da Poltrona vai aparecer.", "A Dani está na padaria, terceiro quadro, com um pão. O Marcelo é o homem do guarda-chuva, e eu sei que ele pediu para ser pirata.", "Vai ter carnaval em fevereiro, Marcelo. Paciência."),
    post("followers", "rascunho", "Meu estojo por dentro", "Dois lápis, uma borracha cortada em três e um pincel de nove anos.", "O pincel está careca e faz uma linha que nenhum outro faz. Tenho um novo guardado para o dia em que ele morrer. O novo vai ter ciúme.", "Não precisa de mais que isso para começar. Precisa é de papel ruim, para não ter medo."),
    post("public", "cidade", "Feira de domingo: obrigada", "Cento e quatorze zines, um temporal e uma mesa que virou barco.", "Quando choveu, as bancas todas se juntaram num toldo só e virou a melhor hora. Troquei zine por pastel.", "O próximo é em Ouro Preto, com mais lona."),
    post("subscribers", "pagina", "Roteiro da página 31, comentado", "De como um diálogo de doze falas virou um olhar.", "Escrevi a briga inteira. Depois apaguei fala por fala, da última para a primeira, até sobrar o gato olhando para o lado.", "Se a história continua de pé sem a fala, a fala era muleta."),
    post("plan2", "tira", "Aula: o segundo quadro", "O primeiro convida, o terceiro entrega. E o do meio?", "O do meio prepara a queda parecendo que não vai cair. Aqui desmonto cinco tiras minhas e uma de que tenho inveja.", "Tarefa: mesma abertura, mesmo fim, três meios diferentes."),
    post("public", "retrato", "Tira 200", "Duzentas. Fiz só uma cara.", "Achei que ia escrever um texto bonito sobre constância. Em vez disso desenhei a Tetê olhando para vocês.", "Obrigada por olharem de volta."),
    post("followers", null, "Pergunta: o Boto devia falar?", "Nunca falou. Chegou uma carta de um leitor de seis anos pedindo.", "O argumento dele: “se ele falasse a Tetê não ficava sozinha no recreio”. Estou pensando nisso há três dias.", "Votem, mas com carinho."),
    post("subscribers", "cidade", "Cores da madrugada: paleta e erros", "Os seis tons da sequência noturna e o roxo que deu errado na gráfica.", "Roxo na tela é promessa, na gráfica é negociação. Mandei prova três vezes.", "A paleta está em arquivo, com os números de impressão."),
    post("public", "tira", "Tira 198: aniversário", "O Boto faz oito anos, ou nove, ninguém sabe.", "Ele chegou adulto, então a data é a do dia em que decidiu ficar. Acho que devia ser assim com todo mundo.", "Teve bolo de atum. Ninguém mais comeu."),
    post("public", "cidade", "Tetê chegou", "Uma menina, um gato e uma cidade de ladeira. Bem-vindos.", "Publico tira desde 2021, espalhada em todo canto. Agora tem casa, com ordem, arquivo e porta para vocês entrarem.", "A primeira é de graça. A segunda também. O gato é que é caro."),
  ],
};
