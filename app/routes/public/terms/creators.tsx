import { useCompany } from "#app/components/shell/company.ts";
import { formatMoney } from "#app/domain/money.ts";
import { splitFee } from "#app/domain/payments/rules.ts";
import { domainContext } from "#app/http/contexts.ts";
import { productPageMeta } from "#app/http/public-pages/public-meta.ts";
import type { Route } from "./+types/creators.ts";

const HEAD = {
  title: "Termos para quem cria",
  description:
    "Taxa, prazos de liberação, saques, reembolsos e documentos: as regras para quem vende no Coreto.",
  path: "/terms/creators",
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  productPageMeta({ ...HEAD, origin: loaderData?.origin ?? "" });

const EXAMPLE_CENTS = 1_990;
const PERCENT = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 2 });

/** Returns the configured fee, so that the contract never states another. */
export function loader({ context }: Route.LoaderArgs) {
  const { feeBasisPoints, appOrigin } = context.get(domainContext).settings;
  const { feeCents, netCents } = splitFee(EXAMPLE_CENTS, feeBasisPoints);
  return {
    origin: appOrigin,
    percentage: `${PERCENT.format(feeBasisPoints / 100)}%`,
    example: [EXAMPLE_CENTS, feeCents, netCents].map(formatMoney),
  };
}

export default function Creators({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-title sm:text-display">Para quem cria</h1>
      <p>
        Estas regras valem junto com os Termos de uso para quem abre uma página e vende. Aqui estão
        a taxa, os prazos e o que esperamos de você.
      </p>
      <Fee {...loaderData} />
      <Release />
      <Payouts />
      <Duties />
    </>
  );
}

function Fee({ percentage, example: [price, fee, net] }: Route.ComponentProps["loaderData"]) {
  return (
    <>
      <h2>1. Quanto custa</h2>
      <p>
        A taxa do Coreto é de <strong>{percentage}</strong> sobre o que foi realmente cobrado,
        arredondada ao centavo. Ela já inclui o custo do Pix e do cartão. Não há mensalidade, taxa
        de saque nem taxa para receber. Numa venda de {price} a taxa é {fee} e você recebe {net}.
      </p>
      <p>
        A porcentagem fica registrada em cada cobrança: uma mudança futura, avisada com 30 dias, só
        vale para cobranças novas. Reembolso devolve também a parte da taxa.
      </p>
    </>
  );
}

function Release() {
  return (
    <>
      <h2>2. Quando o dinheiro fica disponível</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Pagamento</th>
            <th scope="col">Fica disponível</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Primeiro Pix de uma contratação</td>
            <td>8 dias depois (o prazo de arrependimento e mais um dia)</td>
          </tr>
          <tr>
            <td>Renovação por Pix</td>
            <td>no dia seguinte</td>
          </tr>
          <tr>
            <td>Cartão</td>
            <td>quando a operadora repassa, cerca de 30 dias</td>
          </tr>
        </tbody>
      </table>
      <p>
        Cada valor nos seus números abre os lançamentos que o formam. Seus saldos são quatro:
        Disponível, A liberar, Bloqueado e A caminho.
      </p>
    </>
  );
}

function Payouts() {
  return (
    <>
      <h2>3. Saques</h2>
      <ul>
        <li>
          O saque vai para uma chave Pix ou uma conta bancária do mesmo CPF ou CNPJ dos documentos
          aprovados: o dinheiro de uma empresa não vai para o CPF de quem responde por ela. O mínimo
          é R$ 10,00; não há mínimo ao encerrar a página.
        </li>
        <li>Um saque por vez. Se o banco recusar, o valor volta ao seu saldo disponível.</li>
        <li>
          Trocar a chave ou a conta avisa o seu e-mail e segura os saques por 24 horas, para a sua
          proteção.
        </li>
        <li>
          O Coreto não é banco nem carteira: o dinheiro fica com a instituição de pagamento até o
          saque, e não há transferência entre pessoas.
        </li>
      </ul>
      <h2>4. Reembolsos e contestações</h2>
      <ul>
        <li>
          O comprador pode se arrepender em 7 dias, e o valor sai primeiro daquela cobrança, depois
          do disponível.
        </li>
        <li>
          Uma contestação (cartão) ou devolução especial (Pix) bloqueia o valor até a decisão;
          ganhando, ele volta para você.
        </li>
        <li>
          Se faltar saldo, a diferença fica devida e é abatida de metade do que for liberado depois.
          Depois de 180 dias pode ser perdoada pela moderação.
        </li>
      </ul>
    </>
  );
}

function Duties() {
  const company = useCompany();
  return (
    <>
      <h2>5. Documentos</h2>
      <ul>
        <li>
          Para ativar o primeiro plano pedimos nome completo, CPF, data de nascimento e chave Pix;
          de empresa, também a razão social e o CNPJ. Vender exige 18 anos, também de quem responde
          pela empresa.
        </li>
        <li>
          A venda começa assim que os dados são enviados; conferimos em até 14 dias, com fotos de
          RG, CNH ou passaporte, uma selfie e, de empresa, o cartão CNPJ. O primeiro saque espera a
          aprovação. Quando o documento vence, pedimos um novo.
        </li>
        <li>Dados falsos levam ao reembolso de quem comprou e ao encerramento da página.</li>
      </ul>
      <h2>6. O que você promete</h2>
      <ul>
        <li>
          Entregar o que o plano diz. Se parar, pause ou avise: as férias estendem o período de quem
          assina.
        </li>
        <li>Ter os direitos sobre o que publica, e a autorização de quem aparece.</li>
        <li>
          Cumprir as suas obrigações fiscais: o Coreto dá os relatórios; imposto e nota são de quem
          vende.
        </li>
        <li>
          Respeitar quem acompanha: os dados dos assinantes servem só para o que foi contratado.
        </li>
      </ul>
      <p>
        Dúvidas: <a href={`mailto:${company.email}`}>{company.email}</a>. {company.name},{" "}
        {company.address}.
      </p>
    </>
  );
}
