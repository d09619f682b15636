import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const tiao: SeedCreator = {
  username: "tiao",
  name: "Tião Marceneiro",
  fullName: "Sebastião Alves Moreira",
  birthDate: "1969-01-20",
  craft: "marcenaria sem prego",
  category: "crafts",
  city: "Tiradentes, MG",
  bio: "Quarenta anos de oficina. Ensino encaixe, afiação e paciência, com madeira de demolição e café no bule.",
  face: { ground: paper.brick, shirt: paper.pink, skin: "#8A5A3B", hair: "#2A1C14", style: "short" },
  plans: [
    { name: "Aprendiz", description: "Um encaixe por semana.", benefits: ["Passo a passo com medidas", "Moldes em PDF"], prices: [{ interval: "monthly", amountCents: 1490 }], seatsLimit: null, welcomeMessage: "Bem-vindo à oficina! Comece pela afiação: ferro cego ensina errado." },
    { name: "Oficial", description: "Projetos inteiros, do risco ao óleo.", benefits: ["Tudo do Aprendiz", "Um móvel completo por mês", "Dúvidas respondidas em vídeo"], prices: [{ interval: "monthly", amountCents: 3490 }, { interval: "quarterly", amountCents: 9900 }], seatsLimit: 40, welcomeMessage: "O projeto do mês é o banco de quatro pés. Mande foto quando colar." },
  ],
  paidCents: 1900,
  collections: [
    { title: "Encaixes", description: "Um por um, na ordem de dificuldade.", size: 6, match: /[Ee]ncaixe|Gaveta|espigas|Erros/ },
    { title: "Móveis de fim de semana", description: "Dois dias, pouca ferramenta.", size: 4, match: /Banco|banquinho|estante|Prateleira|bancada/ },
  ],
  event: { title: "Oficina aberta: afiar na pedra", place: "Largo das Forras, Tiradentes", inDays: 9, weekday: 6, hour: 9 },
  posts: [
    post("public", "andorinha", "Encaixe sem prego, passo a passo", "Hoje foi dia de rabo de andorinha. Deixei o molde em PDF para quem quiser riscar em casa.", "O rabo de andorinha assusta porque parece segredo. Não é: é riscar certo e serrar do lado de fora do risco. Quem serra em cima do risco já perdeu meio milímetro.", "Comece pelos rabos, depois use os próprios rabos para riscar os pinos. Assim o encaixe se copia sozinho e o erro de um vira o encaixe do outro.", "O molde está em PDF, ângulo de um para seis, bom para madeira dura. Para pinho, use um para cinco."),
    post("subscribers", "banco", "Banco de quatro pés, parte 3: as espigas", "Os pés entram inclinados dois graus. Mostro o gabarito de cinco reais que resolve isso.", "Furo inclinado sem gabarito é loteria. O meu é um toco de peroba com uma face cortada a dois graus: encosta, fura, vira, fura.", "Deixe a espiga um fio de cabelo mais grossa que o furo e dê a volta final com a lima. Tem que entrar com três batidas. Com uma está frouxa, com dez vai rachar."),
    post("public", "aneis", "Esta peroba tem 140 anos", "Contei os anéis da viga que veio da demolição em Prados. O ano da seca está lá.", "Cada anel é um ano: claro na chuva, escuro na seca. Na altura do sessenta e poucos os anéis apertam tanto que quase somem. Fiz a conta e deu 1888 e pouco.", "A viga segurou um telhado por cem anos e agora vai ser mesa. Madeira não morre, muda de emprego."),
    post("followers", "ferramentas", "As seis ferramentas que eu salvaria do fogo", "Não são as mais caras. A número um custou dez reais na feira.", "Na ordem: o formão de meia polegada do meu pai, o macete, o esquadro, a serra de costa, a plaina pequena e um lápis bom. Com isso se faz uma casa por dentro.", "A da feira é o formão. Estava enferrujado até o cabo. Duas tardes de pedra e ficou melhor do que os novos."),
    post("plan2", "prateleira", "Projeto do mês: estante desmontável", "Sete peças, nenhuma ferragem, passa por qualquer porta. Lista de corte incluída.", "A estante inteira fica em pé por causa de oito cunhas. Quando quiser mudar de casa, bate as cunhas para fora e leva debaixo do braço.", "A lista de corte está pensada para sobrar pouco de três tábuas de 30. Leia tudo antes de serrar a primeira; eu sei que ninguém faz isso."),
    post("public", null, "Sobre o silêncio da oficina", "Perguntaram por que não ponho música nos vídeos.", "Porque a madeira fala. O som da plaina muda quando o fio cega, o da serra muda quando sai do esquadro. Se tiver música eu não ouço.", "Mas no fim do expediente tem moda de viola, isso tem."),
    post("subscribers", "ferramentas", "Afiar na pedra: o ângulo é a mão", "Vídeo de 12 minutos, sem guia e sem máquina. Cinco passadas de cada lado.", "Guia ajuda no começo e atrapalha depois. Trave o pulso, respire e ande com o corpo, não com o braço. A pedra tem que ficar molhada o tempo todo.", "O teste é cortar papel de jornal sem serrilhar. Raspar o braço impressiona, mas não prova nada."),
    post("early", "banco", "O banquinho da Ana", "Fiz um banco baixo para a Ana Lira tocar rabeca. Quem assina vê o desenho antes.", "Ela pediu um assento que não rangesse na gravação. Fiz de jenipapo, com travessa só atrás, para o pé poder bater no chão.", "Ficou com trinta e seis centímetros de altura. Sentou, tocou uma música e disse que não ia mais levantar."),
    post("plan2", "andorinha", "Gaveta que corre sozinha", "A folga certa, o lado do veio e o truque da vela.", "Gaveta boa desce devagar quando você fecha a de baixo, por causa do ar. Para isso a folga é de meio milímetro de cada lado, no dia seco.", "Vela nas corrediças, nunca óleo. Óleo incha."),
    post("public", "prateleira", "Mutirão: a biblioteca de Bichinho está de pé", "Onze estantes, quatro fins de semana, vinte e três voluntários.", "Começou com um pedido da professora Neuza e acabou com a vila inteira carregando tábua. As crianças lixaram tudo que estava na altura delas.", "Sobrou madeira para dois bancos e eles já têm dono: os leitores."),
    post("paid", "ferramentas", "Planta completa da bancada", "Vinte páginas, três vistas, lista de corte e o torno de madeira.", "É a bancada que uso há dezenove anos, com as três correções que eu faria hoje. Pesa cento e dez quilos de propósito.", "Dá para fazer em quatro fins de semana. O torno é o mais trabalhoso; deixe para o terceiro, quando a mão já esquentou."),
    post("subscribers", "aneis", "Secar madeira em casa", "Um ano por polegada, e três jeitos de não esperar tanto.", "Empilhe com sarrafos alinhados, pinte os topos e deixe na sombra com vento. O topo é por onde a água foge depressa e racha.", "O jeito rápido é comprar seca. O outro é serrar mais fino. O terceiro é começar hoje."),
    post("public", "andorinha", "Erros meus, em ordem de vergonha", "Vinte anos atrás serrei a perna de um cliente. Da mesa do cliente.", "A mesa mancava, eu serrei uma perna. Aí mancou para o outro lado. Quando percebi, era mesa de centro.", "Hoje calço, meço, marco as quatro e só então serro. Contei isso para a cliente e ela guarda a mesinha até hoje."),
    post("followers", "aneis", "Como reconhecer madeira pelo cheiro", "Cedro é fácil. Canela engana. Vinhático tem cheiro de tarde.", "Raspe com a unha ou com a plaina e cheire logo, porque vai embora. Cedro é armário de avó. Canela, apesar do nome, cheira mal quando verde.", "Jacarandá cheira a doce. Se alguém lhe vender jacarandá barato, cheire duas vezes e peça a nota."),
    post("plan2", "banco", "Dúvidas do mês: cola, grampo e paciência", "Respondi dezessete perguntas. A melhor foi sobre colar no frio.", "Abaixo de quinze graus a cola branca vira pó. Leve a peça para perto do fogão na véspera; madeira fria também não cola.", "E quanto tempo de grampo? O dobro do que você quer."),
    post("public", "ferramentas", "O macete do meu pai", "Era de angico e durou quarenta anos. Fiz outro igual, do mesmo pedaço.", "Ele tinha guardado a outra metade do toco, enrolada num saco, com um bilhete: “quando rachar”. Rachou em março.", "Fiz o novo com a medida da mão dele, que é também a minha."),
    post("subscribers", "prateleira", "Prateleira invisível de verdade", "Sem mão-francesa, sem ferro. Só espiga, parede de adobe e coragem.", "Em parede antiga dá para embutir um travessão e encaixar a prateleira por baixo, com uma cunha escondida. Aguenta livro, não aguenta neto.", "Fotos de cada passo, com as medidas da minha parede. A sua vai ser diferente, meça."),
    post("public", null, "Recado aos novos aprendizes", "Somos mais de oitenta. Três combinados para a oficina funcionar.", "Primeiro: óculos sempre. Segundo: pergunta boba não existe, dedo existe e são dez. Terceiro: quem mostrar erro ganha elogio dobrado.", "Sejam bem-vindos."),
    post("followers", "aneis", "A tora que o rio trouxe", "Depois da cheia apareceu um óleo-copaíba na curva do Santo Antônio.", "Veio com raiz e tudo. Pedimos licença na prefeitura, puxamos com duas juntas de boi e um trator que ficou olhando.", "Vai secar dois anos. Eu conto o resto em 2028."),
    post("public", "banco", "Puxe um banco", "Primeira publicação. Quem sou, o que faço e por que sem prego.", "Aprendi com meu pai, que aprendeu com um alemão que não falava português. Os dois se entendiam por desenho. Eu também prefiro.", "Prego enferruja, encaixe aperta. Aqui vou mostrar um por semana, com medida e com erro."),
  ],
};
