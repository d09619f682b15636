/** The sixty who follow and pay. Username, name, city. Bruno is the demo fan. */
const lines = `bruno|Bruno Tavares|Olinda, PE
lucia.amaral|Lúcia Amaral|Recife, PE
caio.brito|Caio Brito|Caruaru, PE
marina.rocha|Marina Rocha|São Paulo, SP
pedro.sales|Pedro Sales|Fortaleza, CE
ivone.kraus|Ivone Kraus|Ijuí, RS
davi.lopes|Davi Lopes|Brasília, DF
rebeca.matos|Rebeca Matos|Salvador, BA
joana.prado|Joana Prado|Campinas, SP
zequinha|José Carlos Pinto|Cidade de Goiás, GO
helena.duarte|Helena Duarte|Belo Horizonte, MG
tonho.freire|Antônio Freire|Juazeiro do Norte, CE
gabi.nunes|Gabriela Nunes|Osasco, SP
luiza.moura|Luíza Moura|Rio de Janeiro, RJ
rafa.teixeira|Rafael Teixeira|Londrina, PR
dani.queiroz|Daniela Queiroz|Contagem, MG
marcelo.vaz|Marcelo Vaz|Belo Horizonte, MG
neide.costa|Neide Costa|Osasco, SP
felipe.arruda|Felipe Arruda|Recife, PE
talita.gomes|Talita Gomes|Natal, RN
otto.weber|Otto Weber|Blumenau, SC
ivanilde.silva|Ivanilde Silva|Caicó, RN
carol.bastos|Carolina Bastos|Niterói, RJ
hugo.lemos|Hugo Lemos|Uberlândia, MG
yara.tupinamba|Yara Tupinambá|Manaus, AM
sandro.melo|Sandro Melo|São Luís, MA
bete.farias|Elisabete Farias|Campina Grande, PB
nicolas.reis|Nicolas Reis|Curitiba, PR
vera.lucia|Vera Lúcia Campos|Goiânia, GO
igor.matias|Igor Matias|São Paulo, SP
clara.fontoura|Clara Fontoura|Porto Alegre, RS
murilo.dias|Murilo Dias|Londrina, PR
aline.cardoso|Aline Cardoso|Vitória, ES
josue.ramos|Josué Ramos|Belém, PA
paula.seixas|Paula Seixas|Santos, SP
leo.batista|Leonardo Batista|Salvador, BA
rosa.maria|Rosa Maria Pires|Tiradentes, MG
kaua.oliveira|Kauã Oliveira|São Paulo, SP
teresa.neta|Teresa Dantas|Natal, RN
adelino.porto|Adelino Porto|Rio de Janeiro, RJ
ju.siqueira|Juliana Siqueira|Florianópolis, SC
waldir.cunha|Waldir Cunha|Maringá, PR
monica.barros|Mônica Barros|Teresina, PI
enzo.ferrari|Enzo Ferrari|Jundiaí, SP
nair.batista|Nair Batista|Ouro Preto, MG
thiago.leal|Thiago Leal|Aracaju, SE
lara.campelo|Lara Campelo|João Pessoa, PB
eduardo.sato|Eduardo Sato|Londrina, PR
fatima.holanda|Fátima Holanda|Crato, CE
guto.vieira|Gustavo Vieira|Sorocaba, SP
isis.andrade|Ísis Andrade|Brasília, DF
mauro.peixe|Mauro Peixoto|Paraty, RJ
quiteria.lins|Quitéria Lins|Maceió, AL
raul.medeiros|Raul Medeiros|Mossoró, RN
simone.abreu|Simone Abreu|Palmas, TO
ubirajara|Ubirajara Costa|Cuiabá, MT
vitor.hugo|Vítor Hugo Prates|Pelotas, RS
wanda.lemes|Wanda Lemes|Anápolis, GO
xavier.moita|Xavier Moita|Sobral, CE
zilda.couto|Zilda Couto|Diamantina, MG`;

export type SeedFan = { username: string; name: string; city: string };

export const fans: readonly SeedFan[] = lines.split("\n").map((line) => {
  const [username = "", name = "", city = ""] = line.split("|");
  return { username, name, city };
});
