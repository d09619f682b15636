import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const rua8: SeedCreator = {
  username: "rua8",
  name: "Rua 8",
  fullName: "Wesley Santana Rocha",
  birthDate: "1995-08-08",
  craft: "rap da quebrada",
  category: "music",
  city: "São Paulo, SP",
  bio: "Quatro MCs, um beatmaker e uma laje no Capão. Faixa nova todo mês, letra comentada e os bastidores do corre.",
  face: { ground: paper.brick, shirt: paper.pink, skin: "#C98B63", hair: "#15100D", style: "short" },
  plans: [
    { name: "Portão", description: "Chega junto.", benefits: ["Faixas antes das plataformas", "Letras comentadas"], prices: [{ interval: "monthly", amountCents: 1000 }], seatsLimit: null, welcomeMessage: "Salve! Entra que o portão tá aberto. A faixa da semana tá no topo." },
    { name: "Laje", description: "De cima dá pra ver tudo.", benefits: ["Tudo do Portão", "Beats para baixar, uso livre", "Lista da porta em todo show"], prices: [{ interval: "monthly", amountCents: 2500 }, { interval: "annual", amountCents: 25000 }], seatsLimit: null, welcomeMessage: "Você subiu na laje. Manda mensagem com o nome pra lista do próximo show." },
  ],
  paidCents: 1500,
  collections: [
    { title: "EP Itinerário", description: "Cinco faixas, uma linha de ônibus.", size: 5, match: /Itinerário|Janela|Marlene|chuva/ },
    { title: "Letra aberta", description: "Linha por linha, o que quis dizer.", size: 4, match: /Letra aberta|flow|verso/ },
  ],
  event: { title: "Show na laje, fim de ano", place: "Capão Redondo, São Paulo", inDays: 15, weekday: 6, hour: 19 },
  posts: [
    post("public", "vinil", "“Itinerário” tá na rua", "Cinco faixas que cabem no tempo do 6039 até o metrô. Ouve com fone.", "A ideia era simples: cada faixa é um ponto do ônibus. Começa às quatro e meia no terminal, termina de noite voltando em pé.", "Gravamos tudo na laje, com colchão na parede e cachorro do vizinho em duas faixas. Masterizou o Bigode, que recebeu em marmita e agradecimento.", "Se bater em você, manda pra alguém que pega o mesmo ônibus."),
    post("subscribers", "fones", "Letra aberta: “Catraca”", "O que é o bilhete único da segunda estrofe e por que a minha mãe aparece sem nome.", "“Passa um, passam dois, quem conta é a catraca” veio do cobrador Jonas, que contava passageiro em voz alta para não dormir.", "Minha mãe não tem nome na letra porque são todas. Quando mostrei, ela disse que tinha, sim: o dela era o terceiro verso."),
    post("plan2", "caixas", "Pack de beats nº 4: doze, 88 a 94 bpm", "Uso livre com crédito. Stems separados, em WAV.", "Tem sample de fita da igreja, de panela e de um violão que achamos na caçamba. Tudo nosso ou liberado, pode lançar tranquilo.", "O 07 é o mais pedido no estúdio, o 11 é o que ninguém teve coragem ainda."),
    post("public", "microfone", "Batalha da praça voltou", "Toda quinta, 20h, do lado da base. Trinta segundos, sem desculpa.", "Ficou um ano parada porque tiraram a luz. Fizemos rifa, compramos refletor, o eletricista é fã e não cobrou.", "Regra nova: ofensa de casa não vale. A de rima vale em dobro."),
    post("followers", null, "Quanto ganha um rap que toca", "Abri a planilha. Duzentos mil plays e um salgado.", "Somando tudo em três plataformas deu quatrocentos e doze reais, dividido por cinco, menos a distribuidora. Cada um ficou com setenta e um.", "Aqui cem pessoas no Portão pagam o estúdio do mês. É essa a conta, por isso a gente insiste."),
    post("early", "predios", "Clipe de “Janela acesa”", "Filmado em uma noite, de prédio em prédio. Quem assina vê antes.", "Pedimos no grupo do condomínio para acenderem a luz às nove em ponto. Acenderam duzentas e poucas. Deu para ver do outro lado do córrego.", "A senhora do 34 apagou e acendeu no ritmo. Ficou no corte final."),
    post("subscribers", "vinil", "Demo: “Dona Marlene” (voz guia)", "Ainda sem refrão, com a respiração toda errada. Do jeito que nasce.", "É para a merendeira da escola, que guardava prato para quem chegava atrasado e sabia quem não tinha jantado.", "Aceitamos refrão. Escreve aí embaixo, sério."),
    post("plan2", "fones", "Aula de flow: cair fora do tempo de propósito", "Vinte minutos com o Kaíque e um metrônomo que mente.", "Quem entra sempre no um fica previsível. O exercício é contar até quatro e entrar no três e meio por uma semana, até no bom-dia.", "No final tem um trecho para gravar por cima."),
    post("public", "caixas", "Consertamos o paredão", "O da festa de 2016. Dois falantes novos e um ninho de marimbondo.", "Seu Gil abriu com máscara de soldador. Os marimbondos não gostaram da reforma.", "Teste de som sábado, com aviso no grupo e hora para acabar. Respeita a vizinha do 12, que acorda às quatro."),
    post("paid", "predios", "Show completo: Sesc Campo Limpo", "Uma hora e dez, três câmeras, som da mesa.", "A gente entrou tremendo e saiu sem voz. No meio tem uma roda que abriu sozinha e um menino de nove anos que sabia tudo.", "O valor paga a equipe que filmou. Obrigado por não esperar o vazado."),
    post("subscribers", "microfone", "Letra aberta: “Itinerário”", "Cada parada, cada nome. A que eu mais ouço perguntarem é a do Ângela.", "Jardim Ângela não é metáfora. É onde o ônibus enche e o vidro embaça, e por isso o verso para no meio.", "Gravamos quarenta takes para o silêncio ficar do tamanho certo."),
    post("public", null, "Agenda e lista da porta", "Três datas. Quem é da Laje entra sem fila, é só mandar nome.", "Dia 28, Casa de Cultura M’Boi Mirim. Dia 5, Diadema. Dia 12 a laje, com a Ana Lira de rabeca no meio do rap, confia.", "Leva casaco, venta."),
    post("followers", "predios", "Mapa dos estúdios de graça", "Onde gravar sem pagar na zona sul, com telefone e nome de quem atende.", "Fábrica de Cultura tem três. Marca com duas semanas, leva pen drive e a letra pronta. Chegar atrasado prejudica o próximo.", "Se souber de mais algum, escreve que eu ponho no mapa."),
    post("plan2", "caixas", "Sessão de estúdio: 40 minutos sem corte", "Como um beat vira música, com a discussão do meio.", "Aos 18 minutos a gente briga por causa de um chimbau. Aos 25 faz as pazes por causa do mesmo chimbau.", "Deixamos tudo. É assim."),
    post("subscribers", "fones", "Playlist comentada: o que formou a gente", "De Racionais a Cartola, com um gospel que surpreende.", "O gospel era o disco que tocava na limpeza de sábado. Metade dos nossos refrões tem aquela virada.", "Cada um escolheu cinco e defendeu. O do Kaíque foi contestado."),
    post("public", "vinil", "Prensamos 300 vinis", "Custa caro, demora, e é a coisa mais bonita que já fizemos.", "Capa serigrafada à mão, trezentas vezes, no quintal da tia Rô. Nenhuma igual, algumas com digital de criança.", "Assinante tem reserva até sexta."),
    post("followers", "microfone", "Primeiro verso que escrevi", "Eu tinha onze anos e rimava “bola” com “bola”. Publico para incentivar.", "“Eu jogo bola / na escola / de bola.” Foi aplaudido pela turma inteira e nunca mais parei.", "Manda o seu nos comentários, sem vergonha."),
    post("subscribers", "caixas", "Beat do dia: chuva no telhado", "Feito com o barulho da goteira do estúdio. Sim, consertamos.", "Gravei antes de consertar, prioridades. A goteira tava em 86 bpm, quase perfeita.", "Baixa, escreve e mostra."),
    post("public", "predios", "Nota sobre a Operação", "Duas noites sem dormir na rua de baixo. Um texto curto e os telefones que ajudam.", "Não vamos fazer música disso hoje. Vamos fazer arroz, levar água e anotar nome.", "Os contatos da defensoria estão aqui. Copia e cola no grupo da família."),
    post("public", "fones", "Salve, Coreto", "Rua 8 na área. Faixa, letra, beat e a conta aberta.", "A gente cansou de postar pro algoritmo. Aqui quem chega escolheu chegar.", "Encosta no Portão, sobe na Laje. Tamo junto."),
  ],
};
