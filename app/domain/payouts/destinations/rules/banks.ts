export type Bank = {
  /** COMPE code, three digits. */ code: string;
  /** Eight digits. */ ispb: string;
  name: string;
};

/**
 * Institutions with accounts that can receive money, as "code ISPB name": banks, cooperatives and
 * payment institutions with a COMPE code that take part in Pix. Names are the common ones.
 *
 * Source: Banco Central, lists of participants of the STR and of Pix, of August 2026 (as compiled
 * in `bancos-brasileiros` 6.3.38).
 */
const LIST = `
001 00000000 Banco do Brasil | 003 04902979 Banco da Amazônia | 004 07237373 Banco do Nordeste | 010 81723108 Credicoamo | 012 04866275 Banco Inbursa
016 04715685 CCM Despachantes de Trânsito SC e RS | 021 28127603 Banestes | 023 53720128 Conta Simples SCD | 025 03323840 Banco Alfa | 033 90400888 Santander | 037 04913711 Banpará
041 92702067 Banrisul | 047 13009717 Banese | 069 61033106 Banco Crefisa | 070 00000208 BRB | 077 00416968 Banco Inter | 079 09516419 PicPay Bank | 081 10264663 BancoSeguro
082 07679404 Banco Topázio | 084 02398976 Sisprime | 085 05463212 Ailos | 088 11476673 Banco Randon | 089 62109566 Credisan CC | 093 07945233 Polocred SCMEPP | 095 11703662 Banco Travelex
096 00997185 Banco B3 | 097 04632856 Credisis | 098 78157146 Credialiança CCR | 099 03046391 Uniprime | 104 00360305 Caixa Econômica Federal | 119 13720915 Banco Western Union
121 10664513 Agibank | 124 15357060 Banco Woori Bank do Brasil | 125 45246410 Banco Genial | 130 09313766 Caruana SCFI | 133 10398952 Cresol | 136 00315557 Unicred
144 13059145 Ebury Banco de Câmbio | 159 05442029 Casa Credito S.A. SCM | 174 43180355 Pefisa | 183 09210106 Socred - SCMEPP | 190 03973814 Servicoop | 194 20155248 Unida DTVM | 197 16501555 Stone
208 30306294 BTG Pactual | 212 92894922 Banco Original | 213 54403563 Banco Arbi | 218 71027866 Banco BS2 | 224 58616418 Banco Fibra | 237 60746948 Bradesco | 246 28195667 Banco ABC Brasil
254 14388334 Paraná Banco | 260 18236120 Nubank | 269 53518684 HSBC | 271 27842177 BPY CCTVM | 273 08253539 Coop Sulcredi Amplea | 274 11581339 BMP | 276 11970623 Banco Senff
279 26563270 Coop de Primavera do Leste | 281 76461557 CCR Coopavel | 286 07853842 Uniprime Ouro - Coop de Ouro | 290 08561701 PagBank | 299 04814563 Afinz | 301 13370835 Dock
310 22610500 Vortx DTVM | 312 07693858 Hscm SCMEPP | 318 61186680 Banco BMG | 322 01073966 CCR de Abelardo Luz | 323 10573521 Mercado Pago | 324 21332862 Cartos SCD | 326 03311443 Meutudo
329 32402502 QI Tech | 330 00556603 Banco Bari | 332 13140088 Acesso | 335 27098060 Banco Digio | 336 31872495 C6 Bank | 340 09554480 Superdigital | 341 60701190 Itaú | 342 32997490 Creditas SCD
348 33264668 Banco XP | 349 27214112 AL5 S.A. SCFI | 350 01330387 Cooperativa de Crédito Popular do Brasil | 355 34335592 Ótimo SCD | 358 09464032 Midway | 359 05351887 Zema CFI
362 01027058 Cielo IP | 363 62285390 QI CTVM | 364 09089356 Efí | 365 68757681 Simpaul | 368 08357240 Banco CSF (Carrefour) | 371 92875780 Warren CVMC | 373 35977097 UP.P SEP
374 27351731 Realize SCFI | 376 33172537 J.P. Morgan | 377 17826860 BMS SCD | 378 01852137 Banco Brasileiro de Crédito | 379 01658426 Coop Cooperforte | 380 22896431 PicPay
382 04307598 Fiducia SCMEPP | 383 21018182 Ebanx | 384 11165756 Global SCM | 385 03844699 CECM dos Trab.Port. da G.Vitor | 389 17184037 Banco Mercantil | 391 08240446 CCR de Ibiam
395 08673569 F D Gold DTVM | 396 13884775 MagaluPay | 397 34088029 Listo SCD | 401 15111975 Iugu | 402 36947229 Cobuccio S.A. SCFI | 403 37880206 Cora | 404 37241230 SumUp
406 37715993 Accredito SCD | 408 36586946 Bonuspago SCD | 410 05684234 Planner Sociedade de Crédito Direto | 411 05192316 Via Certa Financiadora | 412 15173776 Social Bank | 413 01858774 Banco BV
419 38129006 Numbrs SCD | 421 39343350 CC Lar Credi | 422 58160789 Banco Safra | 425 03881423 Socinal S.A. CFI | 427 27302181 Cred.Ufes | 428 39664698 Credsystem SCD | 430 00204963 CCR Seara
435 38224857 Delfinance SCD | 439 16695922 ID CTVM | 440 82096447 Coop Credi&Gente | 444 40654622 Trinus SCD | 448 39669186 Hemera DTVM | 450 13203354 Fits | 451 40475846 J17 - SCD
452 39676772 Credifit SCD | 457 39587424 UY3 | 460 42047025 Unavanti SCD | 461 19540550 Asaas | 462 39908427 Stark Bank | 465 40083667 Capital Consig SCD | 468 04862600 Portoseg S.A. CFI
470 18394228 CDC SCD | 471 04831810 Coop Creserv Credisis | 476 45860531 Idea Maker IP | 478 11760553 Gazincred S.A. SCFI | 481 43599047 Superlógica SCD | 482 42259084 Artta SCD
509 13935893 Celcoin IP | 510 39738065 FFCred SCD | 511 44683140 Magnum SCD | 512 36266751 Finvest DTVM | 513 44728700 Atf SCD | 517 03816413 Pagueveloz IP | 520 44705774 Somapay SCD
523 44292580 Hr Digital SCD | 524 45854066 Wnt Capital DTVM | 526 46026562 Monetarie SCD | 527 44478623 Aticca SCD | 529 17079937 Pinbank | 530 47873449 Ser Finance SCD | 531 34337707 Bmp SCD
533 22575466 Srm Bank | 534 00714671 Ewally IP | 535 39519944 Opea SCD | 536 20855875 Neon | 537 45756448 Select Credit SCMEPP | 540 04849745 Hbi SCD | 542 18189547 Cloudwalk (InfinitePay)
546 30980539 Okto IP | 547 45331622 Bnk Digital SCD | 549 15489568 Intra DTVM | 550 32074986 Beeteller IP | 552 32192325 Uzzipay IP | 557 30944783 Pagprime IP | 559 49288113 Kanastra CFI
560 21995256 Mag IP | 561 20757199 Pay4fun IP | 562 18684408 Azimut Brasil DTVM | 563 40276692 Protege Cash | 566 23114447 Flagship IP | 568 49933388 Brcondos SCD | 569 12473687 Conta Pronta IP
572 51414521 All In Cred SCD | 574 48756121 A55 SCD | 575 48584954 DGBK Credit SCD | 576 11351086 Mercado Bitcoin IP | 586 35810871 Z1 IP | 588 20308187 Avancard Prover IP | 589 51212088 G5 SCD
590 40473435 Repasses Financeiros IP | 592 45548763 Maps IP | 593 27084098 Transfeera IP | 594 48703388 Asa SCFI | 595 19468242 iFood Pago | 596 39696395 Cactvs IP | 597 34747388 Issuer IP
600 59118133 Banco Luso Brasileiro | 604 31895683 Banco Industrial do Brasil | 610 78626983 Banco VR | 611 61820817 Banco Paulista | 612 31880826 Banco Guanabara | 613 60850229 Banco Omni
614 52440987 Sants SCD | 615 37470405 Smart Solutions Group IP | 619 49931906 Trio IP | 620 51342763 Revolut | 623 59285411 Banco PAN | 632 52586293 Z-On SCD | 633 68900810 Banco Rendimento
634 17351180 Banco Triângulo | 637 60889128 Banco Sofisa | 643 62144175 Banco Pine | 646 91669747 DM SCFI | 651 25104230 Pagare IP | 654 92874270 Banco Digimais | 655 59588111 Banco Votorantim
659 35210410 Onekey Payments IP | 660 34471744 Pagme IP | 662 32708748 We Pay Out IP | 665 20018183 Stark Bank IP | 669 47133056 Transfero IP | 670 11491029 Bsn | 671 26264220 Zero IP
673 08482873 CCR do Agreste Alagoano | 674 27970567 Hinova Pay IP | 675 30723871 Casas Bahia Pay IP | 677 33630661 Gowd IP | 679 36690516 Pay IP | 680 55823094 Delta Global SCD
681 50871921 Mt IP | 682 46505612 Monery IP | 683 30507541 Brasil Cash IP | 685 26615279 Tycoon Technology Iip | 686 12481100 Biz IP | 687 35340796 Inco SEP | 688 43978697 Kikai SCD
690 16814330 Bk IP | 691 49686505 Wasu IP | 692 56198117 Squid SCD | 694 54811417 Woovi | 695 35523352 Bees IP | 698 58367961 Bit SCD | 699 59396084 Bfc SCD | 700 53822116 Mw IP
701 51118615 Integração de Crédito e Cobrança SCD | 707 62232889 Banco Daycoval | 712 78632767 Ouribank | 739 00558456 Banco Cetelem | 741 00517645 Banco Ribeirão Preto | 743 00795423 Banco Semear
745 33479023 Citibank | 746 30723886 Banco Modal | 748 01181521 Sicredi | 752 01522368 BNP Paribas | 753 74828799 Novo Banco Continental | 755 62073200 Bank of America | 756 02038232 Sicoob
757 02318507 KEB Hana do Brasil | 761 53842122 Urbano S.A. SCFI | 763 56106523 Vue IP | 764 04306351 Independência CC | 765 37753531 Pagsmile IP | 766 52833288 Lb Pay IP | 769 24313102 99Pay
770 38320462 V3 IP | 771 57824223 Wx IP | 772 20833992 CC Mecunp | 773 53908413 Kiwify IP | 775 47381104 Conta Azul IP | 783 31680151 Swap IP | 787 10789035 Attrus IP | 788 35713491 Prototype IP
790 54024532 Max IP | 791 62448932 Multiplike Financeira S.A. SCFI | 792 44921281 Nixfin SCD | 804 32343119 Mêntore IP
`;

export const banks: readonly Bank[] = LIST.trim()
  .split(/ \| |\n/)
  .map((entry) => ({ code: entry.slice(0, 3), ispb: entry.slice(4, 12), name: entry.slice(13) }));

const byCode = new Map(banks.map((bank) => [bank.code, bank]));

/** Finds the bank of a COMPE code; null where the list has none. */
const bankOf = (code: string): Bank | null => byCode.get(code) ?? null;

/** Formats a bank as it is offered and shown: "237 · Bradesco". */
export const bankLabel = ({ code, name }: Bank): string => `${code} · ${name}`;

/** Returns the name of a bank by its code, or the code itself where the list no longer has it. */
export const bankName = (code: string): string => bankOf(code)?.name ?? `Banco ${code}`;

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

/** Common names of a bank besides the one in the list. */
const ALSO: Record<string, readonly string[]> = {
  "001": ["BB"],
  "033": ["Santander Brasil"],
  "104": ["Caixa", "CEF"],
  "208": ["BTG"],
  "260": ["Nu Pagamentos"],
  "290": ["PagSeguro"],
  "336": ["C6", "Banco C6"],
  "341": ["Itaú Unibanco"],
};

/**
 * Removes from a name what does not distinguish banks: "Banco Inter S.A." and "inter" are equal.
 * "Banco do Brasil" keeps its first word.
 */
const bare = (name: string): string =>
  plain(name)
    .replace(/ (s a|sa|ltda)$/, "")
    .replace(/^banco (?!d[aeo]( |$))/, "");
const joined = (text: string): string => text.replaceAll(" ", "");
const namesOf = ({ code, name }: Bank): string[] => [name, ...(ALSO[code] ?? [])].map(bare);

const isCalled = (bank: Bank, text: string): boolean =>
  namesOf(bank).some((name) => joined(name) === text);
const begins = (bank: Bank, text: string): boolean =>
  namesOf(bank).some((name) => joined(name).startsWith(text));
const hasWord = (bank: Bank, text: string): boolean =>
  namesOf(bank).some((name) =>
    name.split(" ").some((_, index, parts) => parts.slice(index).join("").startsWith(text)),
  );

/** How many letters at the start of a name are enough. */
const ENOUGH_LETTERS = 4;
const MOST_CANDIDATES = 5;

export type FoundBank =
  | { bank: Bank }
  | {
      /** Possible banks, at most five; none where nothing is similar. */ candidates: Bank[];
    };

/**
 * Finds the bank that somebody typed or chose.
 *
 * It accepts the COMPE code or ISPB, the whole name, or both together when they agree. It ignores
 * accents, case, "Banco" and "S.A.". It also accepts at least four letters that start the name of
 * one bank and no word of another's. Anything else returns candidates.
 *
 * INVARIANT: it never guesses a bank, because money would go to an account there.
 */
export function findBank(typed: string): FoundBank {
  const text = plain(typed);
  const whole = joined(bare(text));
  const called = only(banks.filter((bank) => isCalled(bank, whole)));
  if (called) return { bank: called };
  const [, number = "", rest = ""] = /^(\d{1,3}|\d{8})(?: (.*))?$/.exec(text) ?? [];
  const numbered = numberedBank(number);
  const name = joined(bare(rest));
  if (numbered && name.length >= 2 && begins(numbered, name)) return { bank: numbered };
  const alike = whole.length >= 2 ? banks.filter((bank) => hasWord(bank, name || whole)) : [];
  if (numbered)
    return name === "" && alike.length === 0
      ? { bank: numbered }
      : { candidates: some([numbered, ...alike]) };
  const one = only(alike);
  const isEnough = whole.replace(/\d/g, "").length >= ENOUGH_LETTERS;
  return one && isEnough && begins(one, whole) ? { bank: one } : { candidates: some(alike) };
}

/** "1" and "001" are the same code; the list has no duplicates. */
const numberedBank = (number: string): Bank | null =>
  number.length === 8
    ? (banks.find(({ ispb }) => ispb === number) ?? null)
    : number === ""
      ? null
      : bankOf(number.padStart(3, "0"));
const only = (found: Bank[]): Bank | null => (found.length === 1 ? (found[0] ?? null) : null);
const some = (found: Bank[]): Bank[] => [...new Set(found)].slice(0, MOST_CANDIDATES);
