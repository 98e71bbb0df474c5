./dir0:
total 48
-rw-r--r-- 1 dev dev 1000 Mar  3 10:00 file0_0.txt
-rw-r--r-- 1 dev dev 1001 Mar  3 10:01 file0_1.txt
-rw-r--r-- 1 dev dev 1002 Mar  3 10:02 file0_2.txt
-rw-r--r-- 1 dev dev 1003 Mar  3 10:03 file0_3.txt
-rw-r--r-- 1 dev dev 1004 Mar  3 10:04 file0_4.txt
-rw-r--r-- 1 dev dev 1005 Mar  3 10:05 file0_5.txt
-rw-r--r-- 1 dev dev 1006 Mar  3 10:06 file0_6.txt
-rw-r--r-- 1 dev dev 1007 Mar  3 10:07 file0_7.txt
-rw-r--r-- 1 dev dev 1008 Mar  3 10:08 file0_8.txt

./dir1:
total 48
-rw-r--r-- 1 dev dev 1100 Mar  3 10:00 file1_0.txt
-rw-r--r-- 1 dev dev 1101 Mar  3 10:01 file1_1.txt
-rw-r--r-- 1 dev dev 1102 Mar  3 10:02 file1_2.txt
-rw-r--r-- 1 dev dev 1103 Mar  3 10:03 file1_3.txt
-rw-r--r-- 1 dev dev 1104 Mar  3 10:04 file1_4.txt
-rw-r--r-- 1 dev dev 1105 Mar  3 10:05 file1_5.txt
-rw-r--r-- 1 dev dev 1106 Mar  3 10:06 file1_6.txt
-rw-r--r-- 1 dev dev 1107 Mar  3 10:07 file1_7.txt
-rw-r--r-- 1 dev dev 1108 Mar  3 10:08 file1_8.txt

./dir2:
total 48
-rw-r--r-- 1 dev dev 1200 Mar  3 10:00 file2_0.txt
-rw-r--r-- 1 dev dev 1201 Mar  3 10:01 file2_1.txt
-rw-r--r-- 1 dev dev 1202 Mar  3 10:02 file2_2.txt
-rw-r--r-- 1 dev dev 1203 Mar  3 10:03 file2_3.txt
-rw-r--r-- 1 dev dev 1204 Mar  3 10:04 file2_4.txt
-rw-r--r-- 1 dev dev 1205 Mar  3 10:05 file2_5.txt
-rw-r--r-- 1 dev dev 1206 Mar  3 10:06 file2_6.txt
-rw-r--r-- 1 dev dev 1207 Mar  3 10:07 file2_7.txt
-rw-r--r-- 1 dev dev 1208 Mar  3 10:08 file2_8.txt

./dir3:
total 48
-rw-r--r-- 1 dev dev 1300 Mar  3 10:00 file3_0.txt
-rw-r--r-- 1 dev dev 1301 Mar  3 10:01 file3_1.txt
-rw-r--r-- 1 dev dev 1302 Mar  3 10:02 file3_2.txt
-rw-r--r-- 1 dev dev 1303 Mar  3 10:03 file3_3.txt
-rw-r--r-- 1 dev dev 1304 Mar  3 10:04 file3_4.txt
-rw-r--r-- 1 dev dev 1305 Mar  3 10:05 file3_5.txt
-rw-r--r-- 1 dev dev 1306 Mar  3 10:06 file3_6.txt
-rw-r--r-- 1 dev dev 1307 Mar  3 10:07 file3_7.txt
-rw-r--r-- 1 dev dev 1308 Mar  3 10:08 file3_8.txt

