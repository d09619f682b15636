import { useCompany } from "#app/components/shell/company.ts";
import { domainContext } from "#app/http/contexts.ts";
import { productPageMeta } from "#app/http/public-pages/public-meta.ts";
import type { Route } from "./+types/privacy.ts";

const HEAD = {
  title: "Privacidade",
  description:
    "Que dados o Coreto guarda, por quê, por quanto tempo e como exercer os seus direitos da LGPD.",
  path: "/terms/privacy",
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  productPageMeta({ ...HEAD, origin: loaderData?.origin ?? "" });

export const loader = ({ context }: Route.LoaderArgs) => {
  const { appOrigin, adultSpaces } = context.get(domainContext).settings;
  return { origin: appOrigin, adultSpaces };
};

export default function Privacy({ loaderData }: Route.ComponentProps) {
  const company = useCompany();
  return (
    <>
      <h1 className="text-title sm:text-display">Privacidade</h1>
      <p>
        Quem decide sobre os seus dados (controlador) é {company.name}, CNPJ {company.cnpj},{" "}
        {company.address}. Quem responde por eles (encarregado) atende em{" "}
        <a href={`mailto:${company.privacyEmail}`}>{company.privacyEmail}</a>. Seguimos a Lei Geral
        de Proteção de Dados (Lei 13.709/2018).
      </p>
      <Held adultSpaces={loaderData.adultSpaces} />
      <Shared />
      <Retention />
      <Rights />
    </>
  );
}

function Held({ adultSpaces }: { adultSpaces: boolean }) {
  return (
    <>
      <h2>1. O que guardamos e por quê</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Dado</th>
            <th scope="col">Para quê</th>
            <th scope="col">Base legal</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Nome, e-mail, nome de usuário</td>
            <td>Ter a sua conta e falar com você</td>
            <td>contrato (art. 7º, V)</td>
          </tr>
          <tr>
            <td>O que você publica, segue, curte, comenta e assina</td>
            <td>O serviço em si</td>
            <td>contrato (art. 7º, V)</td>
          </tr>
          <tr>
            <td>
              Mensagens e os arquivos delas; até onde você leu e se está com elas abertas, que você
              pode esconder em Ajustes, Mensagens
            </td>
            <td>
              Entregar as conversas às duas pessoas, e a quem da equipe cuida das mensagens da
              página
            </td>
            <td>contrato (art. 7º, V)</td>
          </tr>
          <tr>
            <td>Pagamentos, reembolsos e saques</td>
            <td>Cobrar, pagar e prestar contas</td>
            <td>contrato e obrigação legal (art. 7º, II e V)</td>
          </tr>
          <tr>
            <td>
              CPF ou CNPJ de quem paga; nascimento de quem abre uma conta; nome e endereço, quando
              você os preenche para os recibos
            </td>
            <td>Cobrar, emitir recibos, evitar fraude e cuidar da idade mínima</td>
            <td>contrato e obrigação legal (art. 7º, II e V)</td>
          </tr>
          <tr>
            <td>Nome e e-mail de quem recebe um presente, informados por quem presenteia</td>
            <td>Entregar o presente; só para isso, e até ele ser aceito, devolvido ou vencer</td>
            <td>legítimo interesse (art. 7º, IX)</td>
          </tr>
          <tr>
            <td>Textos e arquivos enviados em uma contestação</td>
            <td>Responder ao banco de quem pagou</td>
            <td>exercício de direitos (art. 7º, VI)</td>
          </tr>
          <tr>
            <td>
              Denúncias e recursos: quem denunciou, as palavras e uma cópia do conteúdo como estava
            </td>
            <td>Conferir, decidir e avisar; quem foi denunciado não sabe quem denunciou</td>
            <td>obrigação legal (art. 7º, II) e legítimo interesse (art. 7º, IX)</td>
          </tr>
          <HeldOfEvents />
          <HeldOfEmails />
          <HeldOfPayouts />
          <tr>
            <td>
              CPF ou CNPJ, nascimento, chave Pix ou conta bancária e fotos dos documentos de quem
              vende; as fotos só a moderação vê, por endereços que vencem em minutos, e cada olhada
              é anotada
            </td>
            <td>Identificar quem vende, evitar fraude, pagar</td>
            <td>obrigação legal (art. 7º, II)</td>
          </tr>
          <HeldOfNumbers />
          {adultSpaces ? (
            <tr>
              <td>
                O sim ou não da verificação de idade, quando e de quem veio; nunca o que você
                mostrou lá
              </td>
              <td>Abrir páginas para maiores de 18 anos só a quem tem 18</td>
              <td>obrigação legal (art. 7º, II)</td>
            </tr>
          ) : null}
          <tr>
            <td>Aparelho, data e endereço de IP de cada sessão aberta</td>
            <td>Mostrar a você onde a sua conta está aberta e protegê-la</td>
            <td>legítimo interesse (art. 7º, IX)</td>
          </tr>
          <HeldOfVisits />
        </tbody>
      </table>
      <p>
        O número do seu cartão nunca passa pelo Coreto: ele é digitado direto na empresa de
        pagamento. A sua senha é guardada só em forma embaralhada, que não dá para ler.
      </p>
    </>
  );
}

function HeldOfEvents() {
  return (
    <tr>
      <td>
        Vagas, pedidos de vaga e lugares em filas de eventos, com os nomes que você põe nos
        ingressos e o que responde às perguntas de quem organiza
      </td>
      <td>
        Dar o ingresso e avisar você; quem organiza e a equipe da página leem a lista de quem vai e
        as respostas
      </td>
      <td>contrato (art. 7º, V)</td>
    </tr>
  );
}

function HeldOfVisits() {
  return (
    <tr>
      <td>
        De cada visita a uma página: o país, o tipo de aparelho, o site e o link de divulgação de
        onde veio, quanto tempo ela ficou à vista, até onde um áudio ou vídeo tocou e um resumo que
        não diz quem você é e só vale por um dia; por 90 dias, e depois só as somas. Com o que você
        segue ou assina, o link de divulgação por onde chegou
      </td>
      <td>Mostrar a quem publica o que é visto</td>
      <td>legítimo interesse (art. 7º, IX); quem pede para não ser medido não é contado</td>
    </tr>
  );
}

function Shared() {
  return (
    <>
      <h2>2. Com quem dividimos</h2>
      <ul>
        <li>
          Quem cria vê o nome e o usuário de quem segue, assina ou compra. Não vê e-mail, CPF nem
          dados de pagamento. Se você pedir nota fiscal, nos seus dados de cobrança, quem vende para
          você, e quem da equipe cuida do dinheiro da página, vê também o nome e o CPF ou CNPJ de
          lá, nos pagamentos que você fizer dali em diante, até você desmarcar.
        </li>
        <li>
          Quem assina vê o nome e o CPF ou CNPJ de quem vende, porque a lei do comércio eletrônico
          exige.
        </li>
        <li>
          O Google, onde o Coreto configurou a medição dele e só se você aceitar: o caminho das
          páginas abertas a todos e dados do navegador, parte deles fora do Brasil.
        </li>
        <li>
          A instituição de pagamento recebe o necessário para cobrar e pagar; o provedor de
          infraestrutura guarda os dados cifrados, parte deles fora do Brasil, com as garantias do
          art. 33.
        </li>
        <li>
          O CPF ou CNPJ de quem vende é consultado em um cadastro, e a chave Pix digitada para
          saques, no diretório de chaves do Pix, pela instituição de pagamento, para saber de quem
          são. Eles recebem só o número ou a chave e, onde o diretório pede, o nome e o CPF ou CNPJ
          de quem esperamos que seja.
        </li>
        <li>Autoridades, por ordem judicial ou quando a lei obriga.</li>
      </ul>
      <p>Não vendemos dados. Não fazemos publicidade com eles.</p>
    </>
  );
}

function Retention() {
  return (
    <>
      <h2>3. Por quanto tempo</h2>
      <ul>
        <li>Conta e conteúdo: enquanto a conta existir.</li>
        <li>
          Mensagens: até quem escreveu as apagar. Depois que uma conta acaba, o texto continua para
          a outra pessoa, como de “Conta excluída”; os arquivos são apagados. O que você escreveu
          sem conexão fica só no seu navegador, até ser enviado ou você sair da conta.
        </li>
        <li>Dados de cada sessão: até ela terminar.</li>
        <li>
          Que um endereço devolveu um e-mail ou o marcou como spam: até 2 anos, ou até a conta
          acabar.
        </li>
        <li>
          Denúncias e recursos: palavras e cópias até 6 meses depois da decisão; as decisões e os
          motivos ficam no registro da moderação.
        </li>
        <li>
          Pagamentos e documentos fiscais: 5 anos, mesmo depois de encerrada a conta, sem o seu nome
          onde a lei permitir.
        </li>
        <li>
          Documentos de identificação: só pelo tempo que a lei exige. Quem os confere é a moderação,
          e cada consulta fica registrada.
        </li>
      </ul>
    </>
  );
}

function Rights() {
  const company = useCompany();
  return (
    <>
      <h2>4. Os seus direitos</h2>
      <p>A qualquer momento, de graça, você pode:</p>
      <ul>
        <li>saber o que temos sobre você e receber uma cópia;</li>
        <li>corrigir o que estiver errado;</li>
        <li>
          encerrar a conta, em Acesso e segurança, “Excluir conta”: mostramos antes o que isso
          significa para as suas assinaturas e o seu saldo, e você tem 30 dias para mudar de ideia.
          Depois, o que identifica você é apagado ou anonimizado, e ficam apenas os registros que a
          lei manda guardar;
        </li>
        <li>pedir que uma pessoa reveja uma decisão automática.</li>
      </ul>
      <p>
        Escreva para <a href={`mailto:${company.privacyEmail}`}>{company.privacyEmail}</a>;
        respondemos em até 15 dias. Se não ficar satisfeito, procure a Autoridade Nacional de
        Proteção de Dados (ANPD).
      </p>
      <h2>5. Crianças e adolescentes</h2>
      <p>Menores de 16 anos não podem ter conta. Não pedimos documento de quem só assiste.</p>
      <h2>6. Segurança</h2>
      <p>
        Conexões cifradas, acesso interno mínimo e registrado, e pagamentos conferidos centavo a
        centavo. Havendo incidente com risco para você, avisamos você e a ANPD.
      </p>
    </>
  );
}

function HeldOfPayouts() {
  return (
    <>
      <tr>
        <td>
          Chave Pix de quem recebe uma devolução antiga; ela é apagada do pedido quando ele termina
        </td>
        <td>Devolver o dinheiro quando o banco não devolve mais pelo mesmo caminho</td>
        <td>obrigação legal (art. 7º, II)</td>
      </tr>
      <tr>
        <td>
          Por que um saque foi retido, cancelado ou aprovado, e por quem; guardado pelo prazo dos
          registros de dinheiro, também depois que a conta acaba
        </td>
        <td>Prestar contas e evitar fraude</td>
        <td>obrigação legal e exercício de direitos (art. 7º, II e VI)</td>
      </tr>
    </>
  );
}

function HeldOfEmails() {
  return (
    <>
      <tr>
        <td>
          Se você abriu uma publicação que recebeu por e-mail, contado por uma imagem invisível, e
          se clicou em um link dela. Não guardamos a hora, o lugar nem o aparelho, e esquecemos quem
          foi em 30 dias. A imagem você recusa em Ajustes, Preferências de notificação
        </td>
        <td>Mostrar a quem publica quantas pessoas a publicação alcançou, só o total</td>
        <td>legítimo interesse (art. 7º, IX)</td>
      </tr>
      <tr>
        <td>Que o seu endereço devolveu um e-mail nosso, ou que alguém o marcou como spam</td>
        <td>Não insistir com e-mails que não chegam ou que você não quer</td>
        <td>legítimo interesse (art. 7º, IX)</td>
      </tr>
    </>
  );
}

function HeldOfNumbers() {
  return (
    <>
      <tr>
        <td>
          O que o cadastro respondeu sobre o CPF ou CNPJ de quem vende: a situação e o nome que está
          lá; guardado enquanto os documentos forem
        </td>
        <td>Aprovar só números regulares, e de quem os mandou</td>
        <td>obrigação legal (art. 7º, II)</td>
      </tr>
      <tr>
        <td>
          O nome e o CPF ou CNPJ, em geral em parte escondido, de quem é dono de uma chave Pix
          digitada para saques, que pode ser outra pessoa; trocado quando outra chave é digitada e
          apagado com a conta
        </td>
        <td>Pagar só a quem vende, e evitar fraude</td>
        <td>legítimo interesse (art. 7º, IX)</td>
      </tr>
    </>
  );
}
