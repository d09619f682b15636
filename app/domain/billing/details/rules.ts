/** The 26 states and the Federal District, by name. */
export const STATES = [
  ["AC", "Acre"],
  ["AL", "Alagoas"],
  ["AP", "Amapá"],
  ["AM", "Amazonas"],
  ["BA", "Bahia"],
  ["CE", "Ceará"],
  ["DF", "Distrito Federal"],
  ["ES", "Espírito Santo"],
  ["GO", "Goiás"],
  ["MA", "Maranhão"],
  ["MT", "Mato Grosso"],
  ["MS", "Mato Grosso do Sul"],
  ["MG", "Minas Gerais"],
  ["PA", "Pará"],
  ["PB", "Paraíba"],
  ["PR", "Paraná"],
  ["PE", "Pernambuco"],
  ["PI", "Piauí"],
  ["RJ", "Rio de Janeiro"],
  ["RN", "Rio Grande do Norte"],
  ["RS", "Rio Grande do Sul"],
  ["RO", "Rondônia"],
  ["RR", "Roraima"],
  ["SC", "Santa Catarina"],
  ["SP", "São Paulo"],
  ["SE", "Sergipe"],
  ["TO", "Tocantins"],
] as const;
export type State = (typeof STATES)[number][0];

/** `50050-000`. */
export const formatCep = (cep: string): string => cep.replace(/^(\d{5})(\d{3})$/, "$1-$2");

type Address = {
  street: string;
  number: string;
  complement: string;
  district: string;
  city: string;
  state: string;
  cep: string;
};

/** "Rua da Aurora, 295, sala 1204, Boa Vista, Recife/PE, CEP 50050-000". */
export function addressLine({
  street,
  number,
  complement,
  district,
  city,
  state,
  cep,
}: Address): string {
  return [
    street,
    number,
    ...(complement ? [complement] : []),
    district,
    `${city}/${state}`,
    `CEP ${formatCep(cep)}`,
  ].join(", ");
}
