import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const jaci: SeedCreator = {
  username: "jaci",
  name: "Jaci Poeta",
  fullName: "Jaci Ferreira do Nascimento",
  birthDate: "1979-03-19",
  craft: "cordel toda sexta",
  category: "writing",
  city: "Juazeiro do Norte, CE",
  bio: "Cordel novo toda sexta, declamado e impresso. Xilogravura na umburana, sextilha no pé da letra e notícia virada em verso.",
  face: { ground: paper.brick, shirt: "#FFFFFF", skin: "#E3B08C", hair: "#2A1C14", style: "hat" },
  plans: [
    { name: "Folheto", description: "O cordel da semana, antes da feira.", benefits: ["Cordel completo toda sexta", "Áudio declamado"], prices: [{ interval: "monthly", amountCents: 850 }], seatsLimit: null, welcomeMessage: "Seja de casa, compadre, comadre. Sexta cedinho o folheto chega." },
    { name: "Barbante", description: "O folheto de papel na sua porta.", benefits: ["Tudo do Folheto", "Quatro folhetos impressos por mês, pelo correio", "Uma gravura assinada por semestre"], prices: [{ interval: "monthly", amountCents: 2990 }], seatsLimit: 60, welcomeMessage: "Mande o seu endereço por mensagem. O carteiro daqui é bom e gosta de ler antes." },
  ],
  paidCents: 700,
  collections: [
    { title: "Pelejas", description: "Dois cantadores, nenhuma mentira provada.", size: 4, match: /peleja|boi|Uber|testamento|vendeu/ },
    { title: "Oficina de métrica", description: "Da sextilha ao galope.", size: 4, match: /Sextilha|martelo|Motes|rimar/ },
  ],
  event: { title: "Declamação na feira", place: "Praça Padre Cícero, Juazeiro do Norte", inDays: 3, weekday: 6, hour: 8 },
  posts: [
    post("public", "passaro", "A peleja do celular com o rádio de pilha", "Cordel desta sexta, em vinte sextilhas. As seis primeiras são de graça.", "O rádio disse: “Menino,\neu já vivi no sertão,\nfalei de chuva e de santo,\nde gol e de plantação,\ne nunca pedi senha a velho\nque não tem nem instrução.”", "O celular respondeu:\n“Sou praça, banco e cartório,\nsou retrato, sou lanterna,\nsou missa e laboratório.”\nE o rádio: “Mas sem tomada\nvocê vira peso de escritório.”", "As outras catorze estão com quem assina. O rádio ganha, mas por pouco."),
    post("subscribers", "boi", "O boi que sabia ler", "Cordel completo, 32 estrofes, com áudio.", "Na fazenda Boa Espera\nnasceu um boi diferente:\nem vez de pastar no cocho\nlia jornal com a gente,\ne onde estava escrito “abate”\nele rasgava com o dente.", "O final veio de uma conversa com meu tio Raimundo, que jura ter conhecido o boi. Declamei devagar, para dar tempo de rir."),
    post("plan2", "casa", "Gravura de novembro: a porta acesa", "Fotos da matriz, da goiva à prensa, e quem recebe qual número.", "Umburana de cheiro, vinte por quinze. Risquei direto na madeira, ao contrário, que é como se escreve para prensa.", "Tirei sessenta cópias e depois rachei a matriz ao meio, para não ter sessenta e uma. A metade com a lua fica comigo."),
    post("public", "sol", "Sextilha em cinco minutos", "Seis versos, sete sílabas, rima no dois, no quatro e no seis. Só isso, e a vida inteira.", "Conte nos dedos, até a última forte: MI-nha TER-ra TEM pal-MEI. Sete. Se passou, corte o adjetivo, que ele quase nunca faz falta.", "Rime o segundo, o quarto e o sexto. Os outros ficam soltos, descansando. Escreva uma nos comentários, que eu respondo com outra."),
    post("followers", "mandacaru", "Quando o mandacaru fulora", "Meu pai olhava a flor e dizia o dia da chuva. Errou duas vezes em cinquenta anos.", "Flor antes de São José, inverno bom. Flor depois, reza. Flor de noite e murcha de manhã: conversa de namorado, não conta.", "Este ano abriu dia onze. Anotei aqui para a gente conferir."),
    post("early", "passaro", "A asa branca que não voltou", "Assinantes leem hoje, a feira lê na terça.", "Quando a terra virou forno\ne o açude, cicatriz,\na asa branca foi-se embora\nprocurar outro país;\nvoltou um dia em retrato\ncom saudade do que diz.", "Este me custou três semanas, porque Gonzaga já tinha dito tudo. Sobrou contar o que aconteceu com quem ficou."),
    post("paid", "casa", "Folheto especial: Maria Calangro, a parteira", "Sessenta e quatro estrofes sobre a mulher que me botou no mundo.", "Ela pegou mil e duzentos meninos, e guardava um nó de barbante por cada um. Quando morreu, o novelo não cabia no braço.", "Metade do que entrar aqui vai para a casa de parto do Horto."),
    post("subscribers", "sol", "Cordel do eclipse de Sobral", "Em 1919 o céu do Ceará provou que a luz entorta. Em 28 estrofes.", "Chegaram com seus canudos\nos doutores de além-mar;\na velha disse: “Seu moço,\npara que tanto medir o ar?\nO sol se esconde de todos\nquando precisa chorar.”", "Conferi as datas com o Otávio, aqui do Coreto, que é doutor de estrela e só me corrigiu duas vezes."),
    post("public", null, "Feira de sábado: o que vendeu", "Vinte e três folhetos, um retrato e uma promessa de casamento.", "O do boi foi o mais levado, treze. O da asa branca fez uma senhora chorar e pedir desconto; dei.", "A promessa de casamento era para o meu primo, não para mim."),
    post("plan2", "boi", "Ao pé da prensa: erros de impressão", "Uma hora de áudio na oficina de Mestre Noza Neto, com cheiro de tinta e tudo.", "Aprendi que verso errado se corrige na goiva: não é a palavra que muda, é o desenho que tapa.", "No minuto 40 tem ele contando do folheto que saiu sem o fim e vendeu o dobro."),
    post("followers", "sol", "Motes da semana", "Quatro motes para glosar. O melhor vira áudio.", "“Saudade é água de pote.” “Quem me dera ser feirante.” “O trem passou e eu fiquei.” “Nem a lua mora só.”", "Dez versos, fechando com o mote. Até quinta, que sexta tem folheto."),
    post("public", "mandacaru", "Padim Ciço e o Uber", "Encontro improvável na ladeira do Horto, em dez estrofes.", "O motorista falou:\n“Meu velhinho, cinco estrela?”\nE o padre, ajeitando a manga,\nolhou firme na lapela:\n“Meu filho, eu subo é a pé,\nque a promessa é na canela.”", "O resto eu declamei em vídeo, no alto da ladeira, sem fôlego nenhum."),
    post("subscribers", "casa", "A mulher que vendeu o vento", "Trinta estrofes sobre uma procuração, um parque eólico e uma avó esperta.", "Ela leu com o dedo cada letra\ndo papel que o moço trouxe;\ndisse: “O vento é meu vizinho,\nse ele quiser que se arrouxe;\nassino quando ele assinar”,\ne o contrato desmanchou-se.", "É história verdadeira, troquei os nomes e a marca do caminhão."),
    post("public", "passaro", "Do que é feita a goiva", "Guarda-chuva velho, cabo de jucá e uma tarde de lima.", "Vareta de guarda-chuva antigo dá a melhor goiva fina. Aquece, bate, tempera no óleo, encaixa no jucá.", "Ferramenta comprada corta igual, mas não conta história."),
    post("plan2", "sol", "Oficina: martelo agalopado", "Dez sílabas que batem. Com exercícios e as minhas correções nos de vocês.", "O martelo pede força na terceira, na sexta e na décima. Bata na mesa: se a mesa não responder, conte de novo.", "Corrigi os nove que chegaram. O da Lia, botânica, tem um verso sobre semente que eu queria ter feito."),
    post("public", null, "Por que barbante", "Cordel vem de corda, todo mundo sabe. O que pouca gente sabe é do nó.", "O folheto pendura pelo meio, aberto na página do desenho. O nó é de correr, para descer rápido quando a chuva aponta.", "Biblioteca que se recolhe em um minuto."),
    post("followers", "boi", "Reisado na rua da Glória", "Fui para anotar e acabei de Mateus.", "Faltou um, me deram o chapéu. Fiz o povo rir sem querer quando caí por cima do boi.", "Está prometido: viro cordel antes do dia de Reis."),
    post("subscribers", "mandacaru", "O testamento do jumento", "Ele deixa as orelhas para quem não escuta. Vinte e quatro estrofes.", "Minhas duas orelhas deixo\naos homens do tribunal,\npara ouvirem o que o povo\nconta em fila de hospital;\ne o couro fica de assento\nna câmara municipal.", "Declamado com chocalho."),
    post("public", "casa", "Carta a quem começa a rimar", "Não tenha vergonha de rimar amor com dor. Tenha vergonha é de parar aí.", "Rima pobre é rima que não precisava. Se a palavra veio sozinha, desconfie; se deu trabalho, desconfie também.", "Leia em voz alta para alguém que não goste de você. É a melhor revisão."),
    post("public", "sol", "Cheguei com a mala de folheto", "Toda sexta, sem falta, desde 2004. Agora aqui também.", "Na feira eu grito; aqui, disseram, basta publicar. Vou gritar mesmo assim, nos áudios.", "Puxe a cordinha e se achegue."),
  ],
};
