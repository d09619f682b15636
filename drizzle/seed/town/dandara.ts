import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const dandara: SeedCreator = {
  username: "dandara",
  name: "Prof. Dandara",
  fullName: "Dandara Oliveira dos Reis",
  birthDate: "1990-11-20",
  craft: "matemática sem susto",
  category: "education",
  city: "Salvador, BA",
  bio: "Professora de escola pública. Matemática com régua, compasso, dendê e tempo. Aqui ninguém é “de humanas”: é de gente.",
  face: { ground: paper.mustard, shirt: paper.blue, skin: "#6B4226", hair: "#15100D", style: "braids" },
  plans: [
    { name: "Conta de padaria", description: "Um problema bom por semana.", benefits: ["Problema da semana com resolução", "Folhas de atividade"], prices: [{ interval: "monthly", amountCents: 590 }], seatsLimit: null, welcomeMessage: "Que bom te ver! Comece pelo problema das moedas. Errar faz parte, apagar não." },
    { name: "Turma", description: "Aula toda semana.", benefits: ["Tudo da Conta de padaria", "Aula ao vivo às terças", "Correção dos seus exercícios"], prices: [{ interval: "monthly", amountCents: 2900 }, { interval: "semiannual", amountCents: 15000 }], seatsLimit: 35, welcomeMessage: "A aula é terça, 19h30. Traga caderno de papel; o resto eu levo." },
  ],
  paidCents: 1600,
  collections: [
    { title: "Problema da semana", description: "Sem fórmula decorada.", size: 6, match: /^Problema/ },
    { title: "Régua e compasso", description: "Geometria com a mão.", size: 5, match: /tran[çc]a|ladrilho|triângulo|Estrelas|Apostila/ },
  ],
  event: { title: "Aula aberta: trança e simetria", place: "Ao vivo no Coreto", inDays: 6, weekday: 2, hour: 19 },
  posts: [
    post("public", "rosacea", "Simetria na trança nagô", "Aula que dei no salão da Ivete, com espelho, pente e três clientes participando.", "Cada risco no couro cabeludo é um eixo. A trança nagô da Lu tinha ordem seis: girando sessenta graus, volta a ser ela mesma.", "Depois desenhamos com compasso e ficou igual. A Ivete disse que faz isso há trinta anos e ninguém nunca tinha chamado de geometria.", "Tem nome, sim. E tem nota dez."),
    post("subscribers", "primos", "Problema 52: as cem portas", "Cem alunos, cem armários, um corredor. Quais ficam abertos?", "O primeiro abre todos. O segundo mexe de dois em dois. O terceiro, de três em três. Faça com dez antes de fazer com cem.", "A resolução está no fim, mas dobre a página. O bonito é perceber por que são justamente aqueles."),
    post("plan2", "fibonacci", "Aula 14: crescimento que se copia", "Gravação de uma hora, com o coelho, a escada e o abacaxi.", "Contamos os gomos do abacaxi em três direções: oito, treze, vinte e um. A turma não acreditou e fomos buscar outro.", "A lista tem nove exercícios. O sétimo é difícil de propósito, venham juntos."),
    post("public", "truchet", "Um ladrilho, infinitos caminhos", "Recorte vinte quadrados iguais e jogue na mesa. O resto é surpresa.", "Cada quadrado tem dois arcos. Não importa como caia, eles se emendam. É impossível errar, e por isso é o meu primeiro dia de aula.", "Pergunta para casa: por que toda curva fecha ou sai pela borda?"),
    post("followers", "sierpinski", "Quanto do triângulo sobra?", "Tire o meio. Tire o meio do que sobrou. Continue.", "Sobram três quartos, depois três quartos disso. Parece que vai acabar e não acaba; parece que fica e não fica.", "Um menino da tarde disse: “é feito salário”. Ganhou ponto."),
    post("early", "estrelas", "Estrelas sem tirar o lápis", "Assinantes na terça; aberto no sábado, com o molde.", "Com treze pontos no círculo dá para fazer cinco estrelas diferentes. Com doze, só uma. O culpado é o doze, que tem divisor demais.", "Façam com linha e prego: fica uma luminária."),
    post("subscribers", "truchet", "Problema 51: a passagem do ferry", "Onze pessoas, um bote de três e uma cabra. Versão Itaparica.", "É o clássico do rio, mas com maré: cada travessia de volta demora o dobro. Isso muda a resposta.", "Meu pai, que foi barqueiro, resolveu em um minuto e disse que a cabra ia nadando."),
    post("plan2", "rosacea", "Aula 13: ângulo é giro, não bico", "Por que tanta gente erra, e como o ponteiro conserta.", "Quem aprende ângulo olhando a quina acha que lado comprido é ângulo maior. Quem aprende girando o corpo nunca mais erra.", "Fizemos no pátio, com giz. A chuva apagou às quatro e ficou na cabeça."),
    post("public", null, "Para a mãe que disse “eu também nunca fui boa”", "Uma carta curta, depois da reunião.", "A senhora calculou o troco de três compras, a distância até a escola e quantos dias o gás dura. Na minha frente, sem papel.", "Nunca lhe deram o nome do que a senhora sabe. Estou dando."),
    post("paid", "estrelas", "Apostila: 60 desenhos de compasso", "Do círculo à rosácea de doze, passo a passo, com papel milimetrado para imprimir.", "Cada página é uma construção só, grande, com os passos numerados. Testada com o sétimo ano e com a minha mãe.", "Se o seu compasso abre sozinho, há um truque com elástico na página 3."),
    post("subscribers", "fibonacci", "Problema 50: a escada de doze degraus", "Subindo de um em um ou de dois em dois, de quantos jeitos?", "Faça com um degrau, com dois, com três. Anote. Olhe para a lista até ela olhar para você.", "Eu subo os doze da escola todo dia; já usei quarenta e quatro jeitos."),
    post("followers", "primos", "O crivo no quadro de ovos", "Trinta ovos, tampinhas e Eratóstenes.", "Tampe o quatro, o seis, o oito. Depois de três em três. O que ficou descoberto não se divide por ninguém.", "A caixa virou o cartaz da sala. Ainda cheira um pouco a ovo."),
    post("plan2", "sierpinski", "Aula 12: fração é repartir acarajé", "Metade do seu não é metade do meu. E se forem de tamanhos diferentes?", "Metade de quê? Essa pergunta vale por meio ano de fração. Repartimos três acarajés em cinco pessoas, com faca e com desenho.", "Comemos a prova."),
    post("public", "estrelas", "Olimpíada: duas medalhas e um abraço", "Kauê, bronze. Rebeca, prata. A turma inteira, menção honrosa por barulho.", "Estudamos às sextas, na biblioteca, com ventilador quebrado. Eles resolviam em voz alta e a bibliotecária começou a participar.", "Ela acertou a questão 9."),
    post("subscribers", "rosacea", "Problema 49: o bolo em sete com três cortes", "Dá. E em oito também, se você pensar de lado.", "Quase todo mundo corta de cima. O oito aparece quando alguém deita a faca.", "Guarde essa imagem para quando travar em outra coisa."),
    post("public", "truchet", "Matemática do dominó na praça", "Seu Careca não erra o que ficou na mão dos outros. Sentei para entender como.", "São vinte e oito pedras, sete de cada número. Ele conta o que passou e o que não passou, que é mais importante.", "Chama-se informação. Ele chama de prestar atenção."),
    post("followers", null, "Lista de livros que não parecem de matemática", "Sete, todos da biblioteca pública.", "Começa com O homem que calculava, claro, e termina com um de bordado. O de bordado é o mais difícil.", "Se ler algum, venha contar."),
    post("subscribers", "fibonacci", "Problema 48: as moedas do cofrinho", "Só de 25 e de 50. Deu doze reais e trinta e duas moedas.", "Não use letra ainda. Suponha que eram todas de 25 e veja quanto falta. Cada troca acrescenta um tantinho.", "Depois, sim, escreva com letra e veja que é a mesma conversa."),
    post("public", "primos", "Errei no quadro", "Na frente de quarenta. Foi a melhor aula do ano.", "Um sete virou um, eu segui e deu absurdo. A Rebeca levantou a mão. Voltamos juntos, linha por linha, até achar o sete.", "Deixei o erro circulado até sexta. É bonito, um erro achado."),
    post("public", "rosacea", "Abrindo a turma", "Matemática para quem disseram que não era para você.", "Dou aula há doze anos no Subúrbio. Aqui vai ter um problema por semana, aula às terças e nenhuma pressa.", "Traga papel e a sua desconfiança. As duas coisas ajudam."),
  ],
};
