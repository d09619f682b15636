import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const cida: SeedCreator = {
  username: "cida",
  name: "Dona Cida",
  fullName: "Maria Aparecida Teles Ramos",
  birthDate: "1954-10-12",
  craft: "receitas de fogão a lenha",
  category: "food",
  city: "Cidade de Goiás, GO",
  bio: "Cozinho no fogão a lenha desde menina. Receita com medida de xícara, história de comadre e o erro que eu já errei por você.",
  face: { ground: paper.forest, shirt: paper.brick, skin: "#E3B08C", hair: "#2A1C14", style: "bun" },
  plans: [
    { name: "Caderninho", description: "As receitas da semana.", benefits: ["Duas receitas novas por semana", "Lista de compras pronta"], prices: [{ interval: "monthly", amountCents: 790 }], seatsLimit: null, welcomeMessage: "Entra, meu bem, a porta está só encostada. O bolo de fubá é por onde todo mundo começa." },
    { name: "Cozinha de dentro", description: "Vídeo, dúvida e prosa.", benefits: ["Tudo do Caderninho", "Vídeo passo a passo", "Prosa ao vivo na primeira quinta do mês"], prices: [{ interval: "monthly", amountCents: 1690 }, { interval: "semiannual", amountCents: 8990 }], seatsLimit: null, welcomeMessage: "Que alegria! Na primeira quinta do mês a gente prosa às 20h. Traga a dúvida e o café." },
  ],
  paidCents: 990,
  collections: [
    { title: "Bolos de tabuleiro", description: "Massa simples, forno de barro ou de casa.", size: 5, match: /Bolo|Biscoito|Curau/ },
    { title: "Panela no fogo", description: "Comida que demora e compensa.", size: 5, match: /Arroz|Panela|Feijão|Empadão|Pamonha/ },
  ],
  event: { title: "Prosa na cozinha: doces de Natal", place: "Ao vivo no Coreto", inDays: 5, weekday: 4, hour: 20 },
  posts: [
    post("public", "bolo", "Bolo de fubá com erva-doce, o de sempre", "Três xícaras, três ovos, e o segredo que a minha sogra levou dois anos para me contar.", "O segredo é escaldar o fubá. Ferve o leite com a manteiga e joga em cima, mexe e espera amornar. Só depois entram os ovos. Fica macio por três dias, se durar.", "Uma colher de erva-doce, uma pitada de sal e forno que deixe contar até vinte com a mão dentro. No forno da cidade, 180 graus.", "Não abra antes de meia hora. Bolo é igual visita: se assusta, murcha."),
    post("subscribers", "panela", "Arroz com pequi sem medo", "Como roer, quanto pôr e o que fazer se o menino morder.", "Um pequi por pessoa e mais dois pela panela. Refogue no alho e na banha até soltar a cor, só então o arroz.", "Pequi não se morde: rói. Se alguém morder, pão seco para tirar o grosso do espinho e pinça com paciência. Aconteceu com meu genro, no dia do noivado."),
    post("public", "fogao", "Acender o fogão sem fumaça", "Lenha seca, chaminé quente e jornal do avesso.", "A fumaça volta porque a chaminé está fria. Antes de tudo, queime uma folha de jornal na boca dela. Ouviu o ronco? Pode acender embaixo.", "Primeiro graveto, depois o do meio, e o grosso só quando já estiver alegre. Quem põe lenha grossa primeiro passa o dia soprando."),
    post("plan2", "milho", "Pamonha: o dia inteiro, em vídeo", "Sessenta espigas, onze mulheres e um ralador só. Uma hora e vinte de vídeo.", "Começamos às cinco. O Zequinha trouxe o milho ainda com orvalho e já chegou mandando na palha, como sempre.", "No vídeo eu mostro o nó da palha três vezes, de três lados. O ponto da massa é quando a colher cai devagarinho para o lado. De sal, de doce e a de queijo, nessa ordem."),
    post("followers", "bule", "Café de coador, ralo e forte", "Por que passo duas vezes e nunca fervo.", "Água que ferveu demais fica cansada. Tire na hora em que o fundo da chaleira começa a chiar, molhe o pano, jogue fora essa água e só então o pó.", "Ralo para a tarde, forte para a notícia."),
    post("early", "frutas", "Doce de caju inteiro", "Quem assina faz na quarta; todo mundo, na segunda. É época e passa depressa.", "Fure o caju todinho com garfo e esprema de leve, dentro d’água, para ele não ofender a garganta. Calda rala, fogo baixo, tampa meio aberta.", "Fica pronto quando o caju fica da cor de tijolo velho. Guarde em vidro quente e esqueça um mês no armário."),
    post("subscribers", "bolo", "Bolo de mandioca cremoso", "Mandioca ralada e espremida no pano. O caldo não se joga fora.", "Um quilo de mandioca, coco fresco, quatro ovos e açúcar até o coração mandar parar. Assa em tabuleiro untado, sem pressa.", "Do caldo que escorreu, deixe assentar a goma: amanhã é tapioca."),
    post("public", null, "A colher de pau da minha mãe", "Tem setenta anos, é torta para um lado e não empresto.", "De tanto mexer tacho, gastou de um lado só. Minha mãe era canhota e a colher aprendeu.", "Quando eu mexo com a direita, ela escorrega. Acho que é para eu lembrar."),
    post("paid", "fogao", "Apostila: fogão a lenha em casa pequena", "Medidas, tijolo refratário, chaminé e o que diz o vizinho.", "Dezoito páginas que o compadre Nivaldo desenhou e eu fui contando. Serve para varanda e para quintal de cidade.", "Tem a conta de tijolos, a altura certa para não doer as costas e três jeitos de não encher a casa de fumaça."),
    post("plan2", "panela", "Empadão goiano, versão de domingo", "A massa, o recheio e a guariroba que amarga na medida.", "O recheio se faz na véspera, todo mundo sabe e ninguém obedece. Frango, linguiça, queijo, ovo, azeitona, batata e a guariroba cozida em duas águas.", "A massa leva banha gelada. No vídeo dá para ver o ponto de areia molhada; se virar bola, passou."),
    post("public", "frutas", "O que fazer com tanta manga", "Caiu o vento de novembro e o quintal amanheceu amarelo.", "Manga verde vira chutney, que minha neta ensinou e eu chamo de doce azedo. Madura vira sorvete sem máquina: congela em pedaço e bate.", "A passada vira vinagre. E as que sobrarem, ponha na calçada com um papel: “pode levar”. Volta tudo em forma de ovo, de couve, de conversa."),
    post("subscribers", "bule", "Biscoito de polvilho que cresce", "Escaldado, amassado e sem olhar para o forno.", "Meio quilo de polvilho azedo, um copo de óleo com água fervendo, dois ovos e leite até dar o ponto de pingar do saquinho.", "Forno bem quente no começo, mais baixo depois que estourou. Se não cresceu, foi o polvilho: troque de marca, não de fé."),
    post("followers", "fogao", "Panela de pedra tem memória", "Como curar, como lavar e por que ela fica melhor que a gente com a idade.", "Unte por dentro e por fora, encha d’água e deixe no fogo brando até secar. Faça isso três dias.", "Depois, nunca sabão. Água quente, bucha e conversa."),
    post("plan2", "milho", "Curau, canjica e a diferença", "Três panelas ao mesmo tempo para vocês verem o ponto de cada uma.", "Aqui em Goiás curau é o creme e canjica é o grão; em São Paulo viram do avesso e no Nordeste inventam outro nome. Não briguem, comam.", "O segredo do curau é coar duas vezes. O da canjica é o cravo sair antes de servir."),
    post("public", "bolo", "Bolo de aniversário para 50 pessoas", "Aniversário da rua. A conta de tudo e quanto custou.", "Quatro tabuleiros, trinta e dois ovos, cinco quilos de farinha. Custou cento e oitenta reais e uma tarde de seis pessoas, cantando.", "Sobrou um pedaço, que dona Lázara escondeu e achei que ninguém viu."),
    post("subscribers", "panela", "Feijão de tropeiro de verdade", "Sem pressa de fritar: a ordem dos ingredientes é metade da receita.", "Primeiro a linguiça, na gordura dela o alho, na gordura do alho a couve, e só no fim a farinha, que não pode brigar com nada.", "Ovo mexido à parte. Quem mistura cru faz virado, que é outra coisa e também é bom."),
    post("public", null, "Responder carta, que saudade", "Chegaram três cartas de papel esta semana. Uma veio com semente.", "A da dona Ivone, de Ijuí, perguntava se banha estraga. Estraga não, dona Ivone, se o vidro for fervido.", "A semente é de abóbora moranga e já está na terra. Obrigada, moça de Patos."),
    post("followers", "frutas", "Compota de laranja-da-terra", "Nove trocas de água. Eu conto uma por uma.", "Rale a casca por fora, corte em quatro e tire o miolo. Nove águas, três dias. Quem põe oito descobre no primeiro pedaço.", "Depois, calda com cravo. Escorre, seca ao sol e passa no açúcar para virar bala."),
    post("public", "bule", "Sobre a xícara lascada", "Por que eu sirvo nela a quem mais gosto.", "Porque é a que eu uso. A inteira é de visita, e visita toma café e vai embora.", "Se um dia você ganhar a lascada aqui em casa, já sabe."),
    post("public", "fogao", "Minha neta me pôs aqui", "Ela filma, eu falo. Se sair tremido a culpa é dela, se sair salgado é minha.", "Sempre passei receita no portão. A menina disse que no Coreto cabe mais gente que no portão, então vim ver.", "O que eu sei, eu conto. O que não sei, invento na hora, e se der certo vira receita."),
  ],
};
