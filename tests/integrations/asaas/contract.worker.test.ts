import { paymentContract } from "#tests/contracts/payment-provider/contract.ts";
import { openAsaas } from "./asaas.ts";

paymentContract(openAsaas().harness);
