import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const nilo: SeedCreator = {
  username: "nilo",
  name: "Seu Nilo da Gamboa",
  fullName: "Nilo Sérgio Batista",
  birthDate: "1951-05-13",
  craft: "histórias de bairro",
  category: "writing",
  city: "Rio de Janeiro, RJ",
  bio: "Fui estivador, sambista de fundo e guia de ladeira. Conto a Gamboa, a Saúde e o Santo Cristo, casa por casa.",
  face: { ground: paper.blue, shirt: "#FFFFFF", skin: "#6B4226", hair: "#D9D5CC", style: "hat" },
  plans: [
    { name: "Calçada", description: "Uma história por semana.", benefits: ["Histórias completas", "Áudio na minha voz"], prices: [{ interval: "monthly", amountCents: 1000 }], seatsLimit: null, welcomeMessage: "Chegue mais, meu camarada. A história do bonde 12 é boa para começar." },
    { name: "Ladeira", description: "Subir junto.", benefits: ["Tudo da Calçada", "Roteiro a pé com mapa, todo mês", "Um passeio comigo por semestre"], prices: [{ interval: "monthly", amountCents: 2400 }], seatsLimit: 45, welcomeMessage: "O próximo passeio está em Eventos. Sapato fechado, que paralelepípedo não perdoa." },
  ],
  paidCents: 1800,
  collections: [
    { title: "Casa por casa", description: "Quem morou atrás de cada azulejo.", size: 6, match: /sobrado|Zica|fachada|ladrão|parede|navio/ },
    { title: "Roteiros a pé", description: "Duas horas, muita sombra.", size: 4, match: /Roteiro|passeio/ },
  ],
  event: { title: "Passeio: Cais, Pedra do Sal e volta", place: "Largo da Prainha, Rio de Janeiro", inDays: 9, weekday: 6, hour: 9 },
  posts: [
    post("public", "sobrado", "O sobrado que tinha três donos", "Rua do Livramento, número apagado. Cada andar de um irmão, e nenhum usava a mesma escada.", "O de baixo vendia corda de navio. O do meio dava aula de piano. O de cima ninguém sabia, mas recebia carta de Lisboa todo mês.", "Brigaram por causa de um inventário e cada um mandou abrir a sua porta para a rua. Por isso, até hoje, a fachada tem três portas e nenhuma combina.", "O azulejo é o mesmo de cima a baixo. Foi a única coisa em que concordaram."),
    post("subscribers", "bonde", "O motorneiro do bonde 12", "Ele parava fora do ponto para a minha mãe, e a cidade esperava.", "Minha mãe descia com trouxa de roupa na cabeça. O Anselmo freava na porta de casa e tocava o sino duas vezes, que era para ela saber que podia descer devagar.", "Quando tiraram os trilhos ele veio, a pé, tocar o sino de bicicleta. Contei isso em áudio, com a voz falhando no fim, me perdoem."),
    post("plan2", "parede", "Roteiro 6: azulejos da Saúde ao Santo Cristo", "Mapa com onze paradas, duas padarias e um banheiro limpo.", "Comece às oito, com sol de lado, porque azulejo a pino não mostra o relevo. A quarta parada é atrás de um portão: bata palma e diga que foi o Nilo.", "O padrão da sétima é de Aveiro, 1890. O da oitava é cópia, e acho a cópia melhor."),
    post("public", "igreja", "O sino que batia errado de propósito", "Na igreja do morro o sineiro era surdo, e namorava.", "Ele batia treze quando a moça estava na janela. O bairro inteiro sabia, o padre fingia que era defeito.", "Casaram em 1938. No dia, o sino bateu certo pela primeira vez, e ninguém acertou a hora da missa."),
    post("followers", "porto", "Estiva não é força, é conversa", "O que aprendi em vinte e seis anos de cais.", "Sessenta quilos qualquer um levanta uma vez. Levantar o dia inteiro é ritmo, e ritmo é cantar junto.", "As músicas eram de trabalho, e depois viraram de samba. Quem inventou não assinou."),
    post("early", "bonde", "A volta do trilho", "Acharam os trilhos do 12 debaixo do asfalto. Assinantes veem as fotos antes.", "A obra parou dois dias. Chamaram arqueólogo, chamaram jornal, e um menino que passava chamou a mim.", "Pus o pé em cima e juro que tremeu."),
    post("subscribers", "sobrado", "Dona Zica e a pensão das marinheiras", "Mulher viajando só, em 1952, tinha um endereço no Rio. Era aqui.", "Ela não perguntava nome, perguntava se já tinha comido. Guardava mala, carta e segredo, cada um numa prateleira.", "Conversei com a neta. A prateleira dos segredos continua fechada."),
    post("plan2", "igreja", "Roteiro 5: sete ladeiras, um fôlego", "Com corrimão marcado e os bancos onde dá para descansar.", "Não suba pela da Conceição, desça. Em cima dela tem vento às três da tarde e vista de graça.", "Marquei também as fontes que ainda correm. São duas."),
    post("public", null, "Morreu o Zé do Rádio", "Consertava tudo, menos o dele, que ficava sempre ligado.", "A oficina dele era uma porta e uma bancada. Ali se ouvia jogo, notícia e briga de novela, todo mundo em pé na calçada.", "Hoje deixaram um rádio ligado na porta. Fiquei lá até acabar a pilha."),
    post("paid", "porto", "Livreto: O porto de antes, 1910 a 1960", "Quarenta fotografias de família, com quem está em cada uma.", "Não são de arquivo, são de gaveta. Fui de casa em casa, escaneei na mesa e anotei os nomes em voz alta.", "Metade do valor volta para as famílias, em partes iguais, como na estiva."),
    post("subscribers", "parede", "O ladrão de azulejos", "Levava um por noite, de cada fachada. Trinta anos depois, devolveu.", "Chegou uma caixa no centro cultural, sem remetente, com oitenta e dois azulejos numerados e um mapa.", "O bilhete dizia: “não combinam em outro lugar”."),
    post("followers", "sobrado", "Como ler uma fachada", "A altura da janela conta o preço do aluguel em 1900.", "Pé-direito alto, dono morando. Baixo, quarto de aluguel. Sacada de ferro, vaidade; de pedra, dinheiro.", "Olhe para cima. Embaixo tudo virou loja."),
    post("plan2", "porto", "Gravação do passeio de outubro", "Uma hora e meia, com a chuva e o ônibus e tudo.", "Obrigado aos dezenove que vieram de capa. Na Pedra do Sal a chuva parou, por respeito.", "O senhor que cantou no fim se chama Ariovaldo e tem noventa e um anos."),
    post("public", "bonde", "O dia em que o bonde levou um piano", "E o pianista foi tocando, de Santo Cristo à Central.", "Não tinha caminhão, tinha pressa e um fiscal que gostava de valsa. Cobraram duas passagens, a dele e a do piano.", "Meu tio foi pendurado no estribo e contava essa história até para médico."),
    post("subscribers", "igreja", "A procissão que deu a volta no quarteirão errado", "1947. A culpa foi da banda.", "O bombardino virou cedo demais e o santo foi atrás. Passaram em frente à gafieira, que parou e tirou o chapéu.", "No ano seguinte o caminho já era aquele."),
    post("public", "parede", "Restauramos a parede da escola", "Quatrocentos azulejos, sete turmas e um mestre de oitenta e três anos.", "Mestre Adelino ensinou a cortar com barbante e paciência. As crianças pintaram os que faltavam com o que viam da janela: navio, pipa, gato.", "Quem passar vai ver que os novos são mais azuis. Com o tempo acalmam."),
    post("followers", null, "O que perguntar aos seus avós", "Dez perguntas para fazer antes que seja tarde. Grave.", "Não pergunte datas. Pergunte o que se comia na segunda, que cheiro tinha a escada, quem era o mais bonito da rua.", "A última pergunta é: o que ninguém nunca lhe perguntou?"),
    post("subscribers", "porto", "O navio que ficou", "Encalhou em 1934 e virou endereço. Tinha número e carteiro.", "Moraram onze famílias no convés. A luz vinha de um fio puxado do armazém e o banho era de balde, com vista.", "Minha madrinha nasceu na cabine dois. No registro está escrito “a bordo”."),
    post("public", "igreja", "Por que todo morro daqui tem nome de santa", "E por que um não tem.", "O que não tem se chama Pinto, e era o nome do dono da pedreira. Ele quis trocar por São Bento, mas já tinha dono.", "Santo, aqui, também paga aluguel."),
    post("public", "porto", "Boa tarde, sou o Nilo", "Setenta e cinco anos de Gamboa. Vou contar tudo de que me lembro, e um pouco mais.", "Meu neto montou isto no telefone. Disse: “vô, o senhor fala, eu publico”. Já falei três horas e ele pediu para começar por um parágrafo.", "Este é o parágrafo."),
  ],
};
