# Solution 2
# With gamma 0.7 I-rec counts 0.7/0.3 = 2.3 times as much as D-nDCG.
for gamma in (0.5, 0.6, 0.65, 0.7):
    print(gamma, referees.alone(gamma), "(P+Q#, D#-nDCG)")
