import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const terrao: SeedCreator = {
  username: "terrao",
  name: "Terrão FC",
  fullName: "Edmilson Barbosa Lima",
  birthDate: "1982-12-03",
  craft: "podcast de várzea",
  category: "podcast",
  city: "Osasco, SP",
  bio: "O podcast do futebol que acontece do lado da sua casa. Súmula, fofoca, tática de beira de campo e o melhor gol de domingo.",
  face: { ground: paper.forest, shirt: paper.mustard, skin: "#8A5A3B", hair: "#15100D", style: "cap", beard: true },
  plans: [
    { name: "Alambrado", description: "De pé, mas perto.", benefits: ["Episódio na segunda cedo", "Tabela de seis ligas"], prices: [{ interval: "monthly", amountCents: 600 }], seatsLimit: null, welcomeMessage: "Encosta no alambrado, campeão. O episódio de domingo já está no ar." },
    { name: "Banco de reservas", description: "Pronto para entrar.", benefits: ["Tudo do Alambrado", "Resenha ao vivo depois da rodada", "Prancheta tática em vídeo"], prices: [{ interval: "monthly", amountCents: 1500 }], seatsLimit: null, welcomeMessage: "Aquece aí do lado! A resenha é domingo às 18h, com ou sem vitória." },
  ],
  paidCents: 1000,
  collections: [
    { title: "Prancheta", description: "Tática de quem joga com oito no primeiro tempo.", size: 5, match: /^Prancheta/ },
    { title: "Gente da várzea", description: "Entrevistas longas, à sombra.", size: 4, match: /^Episódio/ },
  ],
  event: { title: "Final da Copa Rochdale, ao vivo", place: "Campo do Rochdale, Osasco", inDays: 4, weekday: 0, hour: 10 },
  posts: [
    post("public", "trave", "Golaço de domingo: Neguinho do Baronesa", "Da intermediária, no ângulo, de chinelo. Explico o chinelo.", "O pé direito da chuteira abriu no aquecimento. Juiz olhou, capitão olhou, ninguém tinha 42. Foi de chinelo até o intervalo, e o gol saiu aos dezenove.", "A bola ainda beijou a trave de eucalipto. No episódio tem o som, gravado pelo celular do roupeiro, com o “ihhh” da torcida inteira."),
    post("subscribers", "jogada", "Episódio 88: a várzea que virou base", "Uma hora com Dona Neide, que revelou seis profissionais e nunca cobrou um real.", "Ela anota tudo num caderno de capa dura: nome da mãe, nota da escola, número do pé. “Primeiro o boletim, depois a bola.”", "Aos 40 minutos ela conta do que voltou rico e trouxe só a foto."),
    post("plan2", "jogada", "Prancheta: marcar por zona com nove", "Quando faltam dois e não dá para correr atrás. Vídeo de 15 minutos.", "Com nove, ninguém persegue ninguém. Duas linhas de quatro, curtas, e o que sobra fica no pivô pedindo falta.", "O Vila Yara segurou quarenta minutos assim. Desenhei as três saídas que funcionaram."),
    post("public", "torcida", "A charanga do Bonança", "Surdo de latão, uma tuba emprestada e a melhor música da liga.", "A tuba é da igreja e só pode sair depois da missa das nove. Por isso o Bonança sempre pede jogo às onze.", "Gravei as quatro músicas. A da escalação tem o nome do juiz, com rima educada."),
    post("followers", "camisas", "Ranking das camisas de 2026", "Critério: beleza, história e se desbota na terceira lavada.", "Em primeiro, o listrado do Rochdale, feito pela mãe do goleiro. Em segundo, o roxo do Santa Fé, que todo mundo critica e todo mundo quer.", "O último lugar está em sigilo, porque a gente joga lá no sábado."),
    post("early", "bola", "Especial: quem costura as bolas", "Assinantes na quinta, todo mundo no domingo.", "No Jardim Veloso tem uma cooperativa que ainda costura bola à mão. Trinta e dois gomos, mil e oitocentos pontos, três horas.", "Perguntei se dava pena ver chutarem. “Dá pena é ver murcha.”"),
    post("subscribers", "trave", "Episódio 87: pênalti é psicologia", "Três goleiros de bairro e uma psicóloga do esporte que também é goleira.", "O consenso: não olhe para a bola, olhe para o quadril. A discordância: tudo o mais.", "Tem história de pênalti batido com a perna errada por aposta."),
    post("plan2", "jogada", "Prancheta: escanteio curto de verdade", "Quatro variações para time que não tem cabeceador.", "A bola volta para quem bateu, sempre. Se o zagueiro vier, abriu o fundo. Se não vier, tem cruzamento com o pé bom.", "Testamos no treino do Baronesa: dois gols em onze tentativas. Na várzea isso é título."),
    post("public", null, "O campo do Munhoz vai virar galpão", "Quarenta e um anos de terrão. A última partida é no dia 12.", "Chamamos todo mundo que já jogou lá. Cada um leva a camisa que tiver. Quem não couber no jogo entra por cinco minutos.", "Estamos mapeando os campos que restam. Se o seu está ameaçado, escreva."),
    post("paid", "camisas", "Livro-reportagem: Terrão, 40 campos", "Cento e vinte páginas, fotos e o mapa completo da zona oeste.", "Dois anos, quarenta campos, um pneu furado em cada ida. Cada capítulo é um domingo.", "Tem o campo em ladeira, o de traves tortas e o que divide espaço com a horta."),
    post("subscribers", "torcida", "Episódio 86: a juíza", "Roberta apita desde 2009 e nunca devolveu um palavrão. Quase nunca.", "Ela anda com dois cartões e um pacote de bala. “A bala resolve mais.”", "No fim a gente faz o jogo do lance: você ouve a descrição e decide."),
    post("followers", "bola", "Como remendar bola furada em casa", "Agulha curva, linha encerada e o truque do sabão.", "Passe sabão e procure a bolha. Descosture só três pontos, cole por dentro e costure de novo, puxando junto.", "Encha até a metade e espere a noite. Bola também precisa dormir."),
    post("plan2", "trave", "Resenha gravada: semifinal na chuva", "Uma hora e quarenta, com três versões do mesmo gol.", "Segundo o atacante, foi de letra. Segundo o zagueiro, foi no joelho. Segundo o vídeo, foi o vento.", "Teve choro, teve bolo, teve o presidente pedindo demissão e voltando."),
    post("public", "jogada", "Tabela comentada: faltam três rodadas", "Quem sobe, quem cai e quem já está pensando no churrasco.", "O Rochdale depende só de si, o que nunca foi bom para o Rochdale. O Santa Fé precisa golear e torcer.", "Do meio para baixo está todo mundo com vinte pontos e desconfiança."),
    post("subscribers", "bola", "Episódio 85: o roupeiro", "Seu Dito lava quarenta uniformes na laje e sabe tudo de todos.", "Sabe quem está machucado pelo jeito que dobra a meia. Nunca contou para o técnico, só para a gente, e pediu para cortar.", "Não cortamos o varal: é a capa do episódio."),
    post("public", "torcida", "Domingo das mães no alambrado", "Elas entraram em campo. Placar: 4 a 4, com gol olímpico.", "A Cleuza bateu de longe para cruzar, disse ela. Entrou. Correu tanto que foi parar na barraca de pastel.", "As fotos estão na coleção."),
    post("followers", null, "Glossário da beira do campo", "De “vai na boa” a “olha o ladrão”: quarenta expressões explicadas.", "“Ladrão” é o adversário chegando por trás. “Pipoca” é quem some. “Cavalo” pode ser elogio.", "Mandem as do seu bairro."),
    post("subscribers", "camisas", "Episódio 84: dinheiro de camisa", "Quanto custa manter um time e de onde vem, com recibo na mesa.", "Inscrição, arbitragem, lavagem, gelo. Deu oitocentos por mês e o patrocínio é de um açougue que paga em carne.", "Abrimos as contas do Baronesa com autorização da assembleia, que foi no bar."),
    post("public", "trave", "A trave que a gente plantou", "Eucalipto verde brotou. Agora a trave dá sombra.", "Cortaram, fincaram e em dois meses tinha folha no travessão. O juiz consultou o regulamento e não achou nada contra.", "Podam uma vez por rodada."),
    post("public", "bola", "Bola rolando no Coreto", "Terrão FC, toda segunda. Do lado da sua casa, agora no seu bolso.", "A gente grava em cima do muro, com dois celulares. Se ouvir cachorro, é a zaga.", "Assina quem puder, ouve quem quiser, e domingo todo mundo na beira do campo."),
  ],
};
