import { paymentContract } from "#tests/contracts/payment-provider/contract.ts";
import { openStripe } from "./stripe.ts";

paymentContract(openStripe().harness);
