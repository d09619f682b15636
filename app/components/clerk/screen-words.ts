const CREDITS = {
  accountCreditsSection: { title: "Créditos da conta", viewHistory: "Ver histórico de créditos" },
  creditHistoryPage: {
    tableHeader__amount: "Valor",
    tableHeader__date: "Data",
    title: "Histórico de créditos da conta",
  },
  statementsSection: { itemCaption__payerCredit: "Crédito do saldo da conta" },
};

const PROTECT_CHECK = {
  loading: "Carregando…",
  retryButton: "Tentar de novo",
  subtitle: "Espere enquanto confirmamos o seu pedido.",
  title: "Confirmando o seu pedido",
};

/**
 * Portuguese texts that `ptBR` of @clerk/localizations leaves in English, by screen. A test visits
 * every key.
 */
export const screenTexts = {
  apiKeys: {
    revokeConfirmation: { inputLabel: 'Digite "Revogar" para confirmar' },
    tableHeader__actions: "Ações",
    tableHeader__lastUsed: "Último uso",
    tableHeader__name: "Nome",
  },
  badge__banned: "Suspensa",
  badge__deprovisioned: "Desligada",
  billing: {
    accountCredit: "Crédito da conta",
    billedAnnuallyOnly: "Só cobrança anual",
    billedMonthly: "Cobrança mensal",
    checkout: {
      addPromoCode: "Adicionar código promocional",
      applyPromoCode: "Aplicar",
      discount: "Desconto",
      promoCodePlaceholder: "Digite o código promocional",
      removePromoCode: "Remover código promocional",
      totalDuePerPeriod: "Total por período",
    },
    discountAmount: "{{amount}} de desconto",
    discountCyclesRemaining: "Restam {{cycles}} {{period}}",
    discountDuration: "{{amount}} de desconto nos primeiros {{cycles}} {{period}}",
    monthAbbreviation: "mês",
    monthPerUnit: "Mês por {{unitName}}",
    months: "Meses",
    payerCreditRemainder: "Crédito do saldo da conta.",
    pricingTable: {
      seatCost: {
        additionalSeats:
          "({{additionalTierFeePerBlockAmount}}/{{periodAbbreviation}} por lugar a mais)",
        freeUpToSeats: "Grátis até {{endsAfterBlock}} lugares",
        includedSeats: "{{includedSeats}} lugares incluídos",
        perSeat: "{{feePerBlockAmount}}/{{periodAbbreviation}} por lugar",
        tooltip: {
          additionalSeatsEach: "Cada lugar a mais custa {{feePerBlockAmount}}/{{period}}.",
          firstSeatsIncludedInPlan: "Os primeiros {{endsAfterBlock}} lugares estão no plano.",
          freeForUpToSeats: "Grátis até {{endsAfterBlock}} lugares.",
        },
        unlimitedSeats: "Lugares sem limite",
        upToSeats: "Até {{endsAfterBlock}} lugares",
      },
    },
    proratedDiscount: "Desconto proporcional",
    prorationCredit: "Crédito proporcional",
    seatBreakdownIncludedPlural:
      "{{chargeable}} lugares a {{rate}}/mês ({{totalSeats}} no total, {{included}} incluídos)",
    seatBreakdownIncludedSingular:
      "1 lugar a {{rate}}/mês ({{totalSeats}} no total, {{included}} incluídos)",
    seatBreakdownPlural: "{{chargeable}} lugares a {{rate}}/mês",
    seatBreakdownSingular: "1 lugar a {{rate}}/mês",
    seats: "Lugares",
    seatsWithLimit: "Lugares (até {{limit}})",
    subtotalRenewal: "Subtotal por período",
    totalDuePerPeriod: "Total por período",
    yearAbbreviation: "ano",
    yearPerUnit: "Ano por {{unitName}}",
    years: "Anos",
  },
  formFieldInputPlaceholder__signUpPassword: "Crie uma senha",
  identityPreviewEditButton__emailAddress: "Trocar o e-mail",
  identityPreviewEditButton__identifier: "Trocar o identificador",
  identityPreviewEditButton__phoneNumber: "Trocar o telefone",
  oauthConsent: {
    action__allow: "Permitir",
    action__deny: "Negar",
    offlineAccessNotice: " Você continua conectado até sair ou tirar o acesso.",
    redirectNotice: "Se você permitir, este aplicativo leva você a {{domainAction}}.",
    redirectUriModal: {
      subtitle:
        "Confira se você confia em {{applicationName}} e se este endereço é mesmo de {{applicationName}}.",
      title: "Endereço de destino",
    },
    scopeList: {
      privateMetadata:
        "Os seus dados privados guardados por {{applicationName}}, que podem ser sensíveis",
      title: "Isto permite que {{applicationName}} acesse:",
    },
    subtitle: "quer acessar {{applicationName}} em nome de {{identifier}}",
    viewFullUrl: "Ver o endereço inteiro",
    warning:
      "Confira se você confia em {{applicationName}} ({{domainAction}}). Você pode estar passando dados sensíveis a este site ou aplicativo.",
  },
  oauthDeviceVerification: {
    action__tryAnotherCode: "Digitar outro código",
    confirmation: {
      action__approve: "Aprovar",
      action__deny: "Negar",
      scopeListTitle: "Isto permite que {{applicationName}} acesse:",
      subtitle: "Confirme este pedido de {{identifier}}",
      title: "Permitir que {{applicationName}} acesse a sua conta?",
      warning: "Só aprove se foi você quem começou este pedido no outro aparelho.",
    },
    error: {
      expiredSubtitle: "Comece de novo no aparelho.",
      expiredTitle: "Este código expirou",
      genericSubtitle: "Confira a internet e tente de novo.",
      genericTitle: "Não conseguimos confirmar este código",
      invalidCode: "Digite um código válido de 8 caracteres.",
      rateLimitedSubtitle: "Espere antes de tentar outro código.",
      rateLimitedTitle: "Tentativas demais",
      unknownCode: "Não encontramos este código. Confira e tente de novo.",
    },
    start: {
      action__continue: "Continuar",
      subtitle: "Digite o código que aparece no aparelho ou aplicativo que você quer autorizar.",
      title: "Confirmar um aparelho",
      userCodeLabel: "Código do aparelho",
    },
    status: {
      alreadyApprovedSubtitle: "Volte ao aparelho para continuar.",
      alreadyApprovedTitle: "Você já aprovou este pedido",
      alreadyDecidedSubtitle: "Ele foi respondido em outro lugar. Volte ao aparelho.",
      alreadyDecidedTitle: "Este pedido já foi respondido",
      alreadyDeniedSubtitle: "Comece de novo no aparelho se quiser tentar outra vez.",
      alreadyDeniedTitle: "Este pedido foi negado",
      approvedSubtitle: "Você aprovou este pedido. Volte ao aparelho para continuar.",
      approvedTitle: "Aparelho aprovado",
      consumedSubtitle: "O aparelho está autorizado. Pode fechar esta janela.",
      consumedTitle: "Este código já foi usado",
      deniedSubtitle: "Você negou este pedido. Volte ao aparelho.",
      deniedTitle: "Acesso negado",
    },
  },
  organizationProfile: {
    badge__enterpriseSso: "SSO da empresa",
    billingPage: {
      ...CREDITS,
      subscriptionsListSection: {
        includedSeatsUsage: "{{includedSeats}} lugares incluídos",
        overview: "Visão geral",
        paidSeatsUsage: "{{seatsQuantity}} lugares x {{amount}}",
        seatLimit: "Até {{seatLimit}} lugares",
        seatLimitAndIncludedSeats: "Até {{seatLimit}} lugares ({{includedSeats}} incluídos)",
      },
    },
    invitePage: { formButtonPrimary__purchaseSeats: "Comprar mais lugares" },
    navbar: { security: "Segurança" },
    plansPage: {
      alerts: {
        planMembershipLimitExceeded:
          "A sua equipe tem {{count}} pessoas (com os convites que esperam resposta). Este plano só permite {{limit}}.",
      },
    },
    start: { membershipSeatUsageLabel: "{{count}} de {{limit}} lugares em uso" },
  },
  searchInput: { action__clear: "Limpar a busca" },
  signIn: {
    emailLink: {
      verifiedTransferable: {
        subtitle: "Volte à aba de antes para continuar",
        title: "E-mail confirmado",
      },
    },
    enterpriseSSO: { formButtonPrimary: "Continuar com SSO" },
    protectCheck: PROTECT_CHECK,
    ssoBypass: {
      actionLink: "Não consegue usar o SSO?",
      code: {
        resendButton: "Não recebeu o código? Reenviar",
        subtitle: "para continuar em {{applicationName}}",
        title: "Confira o seu e-mail",
      },
      notice: "A sua equipe exige login único. Continuar sem ele fica registrado.",
    },
  },
  signUp: { protectCheck: PROTECT_CHECK },
  taskSetupMfa: {
    badge: "Configurar a verificação em duas etapas",
    signOut: { actionLink: "Sair", actionText: "Você está como {{identifier}}" },
    smsCode: {
      addPhone: {
        formButtonPrimary: "Continuar",
        infoText:
          "Uma mensagem com um código vai para este telefone. A operadora pode cobrar por ela.",
      },
      addPhoneNumber: "Adicionar telefone",
      cancel: "Cancelar",
      subtitle: "Escolha o telefone que recebe o código da verificação em duas etapas",
      success: {
        finishButton: "Continuar",
        message1:
          "A verificação em duas etapas está ligada. Ao entrar, você também digita um código enviado a este telefone.",
        message2:
          "Guarde estes códigos de reserva em lugar seguro. Sem o aparelho, você entra com um deles.",
        title: "Verificação por SMS ligada",
      },
      title: "Adicionar verificação por SMS",
      verifyPhone: {
        formButtonPrimary: "Continuar",
        formTitle: "Código de verificação",
        resendButton: "Não recebeu o código? Reenviar",
        subtitle: "Digite o código enviado para",
        title: "Confirme o seu telefone",
      },
    },
    start: {
      methodSelection: { phoneCode: "Código por SMS", totp: "Aplicativo autenticador" },
      subtitle: "Escolha como proteger a sua conta com mais uma etapa",
      title: "Configurar a verificação em duas etapas",
    },
    totpCode: {
      addAuthenticatorApp: {
        buttonAbleToScan__nonPrimary: "Ler o código QR",
        buttonUnableToScan__nonPrimary: "Não consegue ler o código QR?",
        formButtonPrimary: "Continuar",
        formButtonReset: "Cancelar",
        infoText__ableToScan:
          "Crie um novo acesso no seu aplicativo autenticador e leia o código QR abaixo para ligá-lo à sua conta.",
        infoText__unableToScan: "Crie um novo acesso no seu autenticador e digite a chave abaixo.",
        inputLabel__unableToScan1:
          "Escolha senhas por tempo ou de uso único e termine de ligar a sua conta.",
        inputLabel__unableToScan2:
          "Se o seu autenticador aceita endereços TOTP, você também pode copiar o endereço inteiro.",
      },
      success: {
        finishButton: "Continuar",
        message1:
          "A verificação em duas etapas está ligada. Ao entrar, você também digita um código deste autenticador.",
        message2:
          "Guarde estes códigos de reserva em lugar seguro. Sem o aparelho, você entra com um deles.",
        title: "Aplicativo autenticador ligado",
      },
      title: "Adicionar aplicativo autenticador",
      verifyTotp: {
        formButtonPrimary: "Continuar",
        formButtonReset: "Cancelar",
        formTitle: "Código de verificação",
        subtitle: "Digite o código que o seu autenticador mostra",
        title: "Adicionar aplicativo autenticador",
      },
    },
  },
  userProfile: {
    billingPage: { ...CREDITS, subscriptionsListSection: { overview: "Visão geral" } },
  },
};
