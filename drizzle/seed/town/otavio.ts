import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const otavio: SeedCreator = {
  username: "otavio",
  name: "Céu de Bairro",
  fullName: "Otávio Nunes Prado",
  birthDate: "1976-07-20",
  craft: "astronomia a olho nu",
  category: "science",
  city: "Londrina, PR",
  bio: "Astronomia de calçada: o que dá para ver hoje, da sua janela, sem gastar nada. Com luneta emprestada aos sábados.",
  face: { ground: paper.blue, shirt: paper.mustard, skin: "#F0C8A4", hair: "#8C8378", style: "bald", beard: true, glasses: true },
  plans: [
    { name: "Crescente", description: "O céu da semana.", benefits: ["Carta do céu semanal", "Avisos de passagem da ISS"], prices: [{ interval: "monthly", amountCents: 1100 }], seatsLimit: null, welcomeMessage: "Olhe para o norte às 20h: aquela estrela vermelha vai ser a sua primeira." },
    { name: "Cheia", description: "Aprender a achar tudo sozinho.", benefits: ["Tudo do Crescente", "Curso em 24 noites", "Dúvidas ao vivo no sábado"], prices: [{ interval: "monthly", amountCents: 2700 }], seatsLimit: null, welcomeMessage: "A primeira noite do curso é hoje, se não chover. Se chover, é a dois." },
  ],
  paidCents: 1400,
  collections: [
    { title: "Céu da semana", description: "Uma carta por semana, para o Brasil inteiro.", size: 6, match: /Céu da semana|Saturno sábado/ },
    { title: "Curso em 24 noites", description: "Sem luneta até a décima.", size: 5, match: /^Noite|calçada/ },
  ],
  event: { title: "Luneta na praça: Saturno", place: "Zerão, Londrina", inDays: 1, weekday: 6, hour: 19 },
  posts: [
    post("public", "saturno", "Saturno sábado, na praça", "Levo duas lunetas e café. Dá para ver o anel, e dá para ver a cara de quem vê pela primeira vez.", "A partir das sete e meia, se o tempo deixar. Saturno estará alto, perto da Lua crescente. O anel está fino este ano, quase uma agulha.", "Criança na frente, sempre. A fila anda sozinha porque ninguém fura fila de planeta."),
    post("subscribers", "constelacao", "Céu da semana: o Escorpião vai embora", "Carta para 20h, do Oiapoque ao Chuí. Duas noites boas, três regulares.", "O Escorpião mergulha no oeste logo depois do pôr do sol. Olhe para Antares enquanto dá; ela volta em fevereiro, de madrugada.", "Do outro lado sobe Órion. A mitologia diz que os dois brigaram e nunca mais ficaram no mesmo céu."),
    post("plan2", "orbitas", "Noite 9: desenhe o sistema solar na sua rua", "Com uma bola de vôlei no portão, Netuno fica no mercado.", "A escala honesta não cabe em livro. Se o Sol é uma bola de vinte centímetros, a Terra é um grão de pimenta a vinte e um metros.", "A planilha está anexa, é só pôr o tamanho da sua bola. Mande foto do seu Júpiter."),
    post("public", "fases", "Por que a Lua parece maior no horizonte", "Não é. Prove com uma moeda e o braço esticado.", "Estique o braço e cubra a Lua com uma moeda de cinco centavos quando ela nascer. Espere três horas e cubra de novo. É o mesmo tamanho.", "Quem aumenta é a sua cabeça, comparando com telhado e árvore. Nem a ciência tem certeza do porquê; gosto disso."),
    post("followers", "eclipse", "O eclipse de fevereiro: onde e quando", "Parcial em quase todo o Brasil. O que comprar e o que nunca usar.", "Filtro certificado ou projeção com furo no papelão. Chapa de raio-x, não. Óculos escuros, não. Fundo de garrafa, jamais.", "Em Londrina começa às 10h52. Fiz a tabela das capitais."),
    post("early", "luneta", "Construa uma luneta de 40 reais", "Duas lentes, um cano e fita preta. Assinantes primeiro, porque as lentes acabam.", "É a luneta de Galileu, só que melhor. Com ela dá para ver as crateras da Lua e quatro luas de Júpiter, noite após noite, mudando de lugar.", "A loja das lentes tem trinta pares. Por isso a ordem."),
    post("subscribers", "fases", "Céu da semana: Lua e Plêiades", "Encontro na quinta, 19h40, baixo no nordeste.", "As Sete Irmãs são seis para quase todo mundo. Conte sem pressa e sem celular no bolso aceso.", "Em tupi, é o Eixu, o enxame. Quando ele nasce ao anoitecer, vem chuva."),
    post("plan2", "luneta", "Noite 10: a primeira vez na luneta", "O que esperar, o que não esperar e a regra dos cinco minutos.", "Nada vai parecer com foto. Olhe cinco minutos sem tirar o olho, respirando. No terceiro minuto aparece a divisão de Cassini; ela estava lá desde o primeiro.", "Tapar o outro olho com a mão cansa menos que fechar."),
    post("public", null, "A luz que a prefeitura trocou", "Os postes novos apontam para cima. Escrevi uma carta e ela respondeu.", "Poste não precisa iluminar avião. Mostrei as fotos do mesmo céu em 2015 e hoje, e o engenheiro marcou uma reunião.", "Vão pôr cobertura em quarenta. É pouco e é começo."),
    post("paid", "constelacao", "Atlas do céu brasileiro, 48 cartas", "Para imprimir em A3. Com as constelações indígenas do jeito que me ensinaram.", "A Ema, o Homem Velho, a Anta do Norte. Desenhei com a permissão e a correção de dois professores guarani.", "Metade das vendas vai para a escola deles."),
    post("subscribers", "orbitas", "Céu da semana: Vênus de dia", "Sim, dá para ver às três da tarde. Siga a Lua.", "Na terça a Lua passa coladinha. Ache a Lua, ande um dedo para a direita e espere o olho focar no infinito.", "Fique na sombra de um prédio, nunca com o Sol na linha dos olhos."),
    post("followers", "saturno", "O menino que perguntou o que tem embaixo", "Melhor pergunta do ano, na fila de sábado.", "“Se em cima é o céu, o que tem embaixo?” Respondi: céu também, é só esperar doze horas.", "Ele olhou para o chão um tempão."),
    post("plan2", "constelacao", "Noite 11: achar o sul sem bússola", "Quatro vezes e meia o braço do Cruzeiro. E o erro clássico.", "O erro é confundir com a Falsa Cruz, que fica ao lado e é maior. O Cruzeiro verdadeiro tem duas apontadoras, Alfa e Beta do Centauro.", "Pratique três noites. Na quarta você vira a pessoa do acampamento."),
    post("public", "orbitas", "Mercúrio retrógrado não tem culpa", "Ele não anda para trás. Você é que ultrapassou.", "É como passar um carro na estrada: por um momento ele parece ir de ré. Foi isso, e foi isso sempre.", "O seu celular quebrou porque caiu."),
    post("subscribers", "eclipse", "Bastidores: o Sol com filtro caseiro", "Três manchas, um domingo e um pescoço vermelho.", "Projetei a imagem numa caixa de sapato e desenhei as manchas a lápis, uma por hora. Dá para ver o Sol girando.", "Os seis desenhos estão aqui, em sequência."),
    post("public", "luneta", "Luneta emprestada: regras da casa", "Qualquer assinante ou vizinho pode levar por uma semana.", "Não aponte para o Sol nem para a janela dos outros. Não limpe a lente. Traga de volta com uma história.", "Já foram trinta e uma histórias. A do eclipse no hospital é a melhor."),
    post("followers", null, "Chuva de meteoros: como não se decepcionar", "Deite, apague tudo, espere meia hora. Não é fogos.", "Sessenta por hora é um por minuto, com sorte e escuro. Leve manta e alguém de quem você goste, porque o intervalo é longo.", "A partir das duas da manhã melhora: a Terra vira o para-brisa."),
    post("subscribers", "saturno", "Céu da semana: oposição de Júpiter", "A melhor noite do ano para ele, sem luneta mesmo.", "Nasce quando o Sol se põe e fica a noite toda. Com binóculo apoiado no muro dá para ver as luas.", "Anote a posição de hoje e de amanhã. Io terá dado quase uma volta."),
    post("public", "fases", "O calendário da minha avó", "Ela plantava na minguante e cortava cabelo na crescente. Fui medir.", "Medi por dois anos: a alface não sabe da Lua. Mas a avó, que saía todo dia para olhar o céu, sabia da alface.", "A ciência ganhou, e eu continuo cortando o cabelo na crescente."),
    post("public", "constelacao", "O céu começa na calçada", "Quem sou e por que dispenso telescópio nas dez primeiras noites.", "Sou professor de física aposentado e vizinho barulhento. Ponho uma luneta na rua desde 1999.", "Aqui vai ter carta, curso e convite. Saia um pouco, olhe para cima, volte e me conte."),
  ],
};
