"""Call divmetrics as other programs call their evaluators: ir_measures, pytrec_eval, pyndeval."""
