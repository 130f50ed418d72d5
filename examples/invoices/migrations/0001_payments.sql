-- Payments of invoices. Amounts are in cents.
CREATE TABLE "ext_invoices_payment" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "invoice" UUID NOT NULL,
    "cents" BIGINT NOT NULL CHECK ("cents" > 0),
    "received" TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE INDEX "ext_invoices_payment_invoice" ON "ext_invoices_payment" ("invoice");
